import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { APPLE_PLAN, appleGame, servedAlfWorld, type HouseholdGame } from '../../testing/agentgym-alfworld';
import { AgentGymServer } from '../../testing/agentgym-server';
import type { ServedWorld } from '../../testing/agentgym-world';
import { AgentGymClient } from './client';
import { createAgentGym } from './environment';
import type { AgentGymSettings } from './options';
import { itemTask } from './task';

let server: AgentGymServer;
afterEach(() => server.close());

async function remoteAlfWorld(world: ServedWorld, settings: AgentGymSettings = {}) {
  server = await AgentGymServer.start(world);
  return createAgentGym(new AgentGymClient({ address: server.address, timeoutS: 20 }), 'alfworld', settings);
}

const TASK = itemTask('alfworld', 2420, 'valid_seen');

describe('an episode of ALFWorld on a server', () => {
  it('is won by the turn that is done and paid', async () => {
    const environment = await remoteAlfWorld(servedAlfWorld(() => appleGame()));
    const episode = await environment.start(TASK);
    expect(episode.goal).toBe('put some apple on fridge.');
    expect(episode.observe().text).toMatch(
      /^You are in the middle of a room\. .*\nYour task is to: put some apple/,
    );
    expect(episode.observe().availableActions).toContain('go to fridge 1');
    const results = [];
    for (const action of APPLE_PLAN) results.push(await episode.step(action));
    expect(results.map(({ reward, done, success, valid }) => [reward, done, success, valid])).toEqual([
      [0, false, false, true],
      [0, false, false, true],
      [0, false, false, true],
      [0, false, false, true],
      [1, true, true, true],
    ]);
    await expect(episode.step('look')).rejects.toThrow('The episode of agentgym/alfworld_2420 has ended');
    expect(episode.picture()).toBeNull();
    expect(episode.stateHash()).toBeNull();
  });

  it('refuses an action that changes nothing and is not one', async () => {
    const episode = await (await remoteAlfWorld(servedAlfWorld(() => appleGame()))).start(TASK);
    expect(await episode.step('put apple 1 in/on fridge 1')).toMatchObject({ valid: false, reward: 0 });
    expect(await episode.step('look')).toMatchObject({ valid: true });
  });

  it('has met a turn cap, the server’s or ours, where it ends and is not won', async () => {
    const environment = await remoteAlfWorld(
      servedAlfWorld((index) => appleGame(index === 0 ? 2 : 50)),
      { maxTurns: 3 },
    );
    for (const [index, turns] of [
      [0, 2],
      [1, 3],
    ] as const) {
      const episode = await environment.start(itemTask('alfworld', index, 'train'));
      for (let turn = 1; turn < turns; turn++)
        expect(await episode.step('look')).toMatchObject({ done: false });
      expect(await episode.step('look')).toMatchObject({ done: true, truncated: true, success: false });
    }
  });

  it('asks for the available actions where a turn comes without them', async () => {
    const world = servedAlfWorld(() => appleGame());
    const step = world.routes['POST /step'];
    if (!step) throw new Error('the world has no POST /step');
    const answer = (input: unknown) => {
      // A step's answer is an object.
      const { available_actions: _withheld, ...told } = step.answer(input) as Record<string, unknown>;
      return told;
    };
    const environment = await remoteAlfWorld({
      openIds: [],
      routes: { ...world.routes, 'POST /step': { ...step, answer } },
    });
    const episode = await environment.start(TASK);
    const { observation } = await episode.step('go to countertop 1');
    expect(observation.availableActions).toContain('take apple 1 from countertop 1');
    expect(server.count('GET /available_actions')).toBe(1);
  });

  it('is not begun by an answer that names no task', async () => {
    const game: HouseholdGame = { ...appleGame(), intro: 'Welcome!\n\nA room.' };
    const environment = await remoteAlfWorld(servedAlfWorld(() => game));
    await expect(environment.start(TASK)).rejects.toThrow(/\/reset told no task: “A room\.”/);
  });
});

const GOLDEN = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'golden/golden_v1_211.jsonl');

const Recorded = z.object({
  game: z.string(),
  initial: z.object({ obs: z.string(), admissible: z.array(z.string()) }),
  steps: z.array(
    z.object({
      cmd: z.string(),
      obs: z.string(),
      admissible: z.array(z.string()),
      won: z.boolean(),
      done: z.boolean(),
    }),
  ),
});
type Recorded = z.infer<typeof Recorded>;

/** A recorded game, told again to whoever takes the recorded actions. */
function recordedGame({ game, initial, steps }: Recorded): HouseholdGame {
  let turn = 0;
  return {
    intro: initial.obs,
    taskType: game,
    availableActions: () => (steps[turn - 1] ?? initial).admissible,
    step(action) {
      const step = steps[turn++];
      if (step?.cmd !== action) throw new Error(`the record has ${step?.cmd} where ${action} was sent`);
      return { text: step.obs, won: step.won, done: step.done };
    },
  };
}

describe.skipIf(!existsSync(GOLDEN))('recorded games of the real ALFWorld (STEPSCOPE_DATA)', () => {
  it('are read with their goal, won by their last turn and refused where the engine refused', async () => {
    const records = readFileSync(GOLDEN, 'utf8')
      .trim()
      .split('\n')
      .slice(0, 10)
      .map((line) => Recorded.parse(JSON.parse(line)));
    const environment = await remoteAlfWorld(
      servedAlfWorld((index) => {
        const record = records[index];
        if (!record) throw new Error(`there is no game ${index}`);
        return recordedGame(record);
      }),
      { maxTurns: null },
    );
    for (const [index, { initial, steps }] of records.entries()) {
      const episode = await environment.start(itemTask('alfworld', index, 'train'));
      expect(initial.obs).toContain(`Your task is to: ${episode.goal}`);
      for (const { cmd, admissible, won, obs } of steps) {
        const isOffered = episode.observe().availableActions.includes(cmd);
        const { observation, success, valid } = await episode.step(cmd);
        expect(observation.availableActions).toEqual(admissible);
        expect(obs.endsWith(observation.text)).toBe(true);
        expect({ success, valid }).toEqual({ success: won, valid: isOffered });
      }
    }
  });
});
