import { afterEach, describe, expect, it } from 'vitest';
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import type { BabyAiSettings } from '@/rl/environments/babyai/options';
import { agentGymTask } from '@/rl/environments/babyai/task';
import type { Episode, Observation, StepResult } from '@/rl/environments/environment';
import { createRandom, type Random } from '@/rl/random';
import { servedBabyAi } from '../../testing/agentgym-babyai';
import { AgentGymServer } from '../../testing/agentgym-server';
import type { ServedWorld } from '../../testing/agentgym-world';
import { AgentGymClient } from './client';
import { createAgentGym } from './environment';
import type { AgentGymSettings } from './options';
import { itemTask } from './task';

let server: AgentGymServer;
afterEach(() => server.close());

async function remoteBabyAi(settings: AgentGymSettings, world: ServedWorld = servedBabyAi()) {
  server = await AgentGymServer.start(world);
  return createAgentGym(new AgentGymClient({ address: server.address, timeoutS: 20 }), 'babyai', settings);
}

/** Offered actions, in other writings too, and what no environment offers. */
function chooseAction({ availableActions }: Observation, random: Random): string {
  const offered = random.pick(availableActions);
  return random.pick([
    offered,
    offered,
    offered,
    ` ${offered.toUpperCase()}\t`,
    random.pick([
      '',
      ' \x1c',
      'fly',
      'pickup ghost 1',
      'drop',
      'move forward',
      'check the “list”',
      'go to \ud83d\ude00',
    ]),
  ]);
}

/** Levels of AgentGym's numbers: one room, mazes, doors, keys, objects in the hand, missions in several parts. */
const LEVEL_NUMBERS = [5, 7, 12, 17, 22, 23, 25, 36];
const WAYS: { name: string; remote: AgentGymSettings; local: BabyAiSettings }[] = [
  { name: 'as the server has it', remote: { compat: 'agentgym', maxTurns: 25 }, local: { maxTurns: 25 } },
  {
    name: 'by default',
    remote: {},
    local: { endOnLowReward: true, payOnce: true, maxTurns: 20 },
  },
];

describe('an episode of BabyAI on a server', () => {
  it.each(WAYS)('is the local one turn by turn, $name', async ({ remote, local }) => {
    const environment = await remoteBabyAi(remote);
    const localEnvironment = createBabyAi({ compat: 'agentgym', ...local });
    for (const number of LEVEL_NUMBERS) {
      const index = 40 * number + number - 1;
      const there = await environment.start(itemTask('babyai', index, 'train'));
      const here = localEnvironment.start(agentGymTask(index, 'train'));
      expect(there.goal).toBe(here.goal);
      expect(there.observe()).toEqual(here.observe());
      const random = createRandom(index);
      for (let done = false; !done;) {
        const action = chooseAction(here.observe(), random);
        const result = await there.step(action);
        expect({ action, ...result }).toEqual({ action, ...here.step(action) });
        ({ done } = result);
      }
      await there.close();
    }
    expect(server.count('POST /close')).toBe(LEVEL_NUMBERS.length);
  });

  it('is refused for the level that the server has not registered', async () => {
    const environment = await remoteBabyAi({});
    await expect(environment.start(itemTask('babyai', 3, 'train'))).rejects.toThrow(
      /\/reset answered the error “.*not registered/,
    );
  });
});

const LATE = itemTask('babyai', 2, 'train');
const JUNK = 'none available';

/** Wastes turns until a success is worth at most 0.5, then succeeds. */
async function winLate(episode: Episode): Promise<StepResult> {
  for (let turn = 0; turn < 40; turn++) await episode.step('turn left');
  for (let turn = 0; turn < 10; turn++) {
    const isOffered = episode.observe().availableActions.includes('go to red ball 1');
    const result = await episode.step(isOffered ? 'go to red ball 1' : 'turn right');
    if (result.success) return result;
  }
  throw new Error('the ball was not reached in 10 turns');
}

describe('a late success on a server of BabyAI', () => {
  it('ends the episode by default, though the server would play on', async () => {
    const episode = await (await remoteBabyAi({ maxTurns: null })).start(LATE);
    const won = await winLate(episode);
    expect(won).toMatchObject({ success: true, done: true, truncated: false });
    expect(won.reward).toBeGreaterThan(0);
    expect(won.reward).toBeLessThanOrEqual(0.5);
    await expect(episode.step(JUNK)).rejects.toThrow('has ended');
  });

  it('is paid again and again where the server is taken at its word', async () => {
    const episode = await (await remoteBabyAi({ compat: 'agentgym' })).start(LATE);
    const { reward, done } = await winLate(episode);
    expect(done).toBe(false);
    for (let turn = 0; turn < 3; turn++)
      expect(await episode.step(JUNK)).toMatchObject({ reward, success: false, valid: false, done: false });
    expect(await episode.step('turn left')).toMatchObject({ reward: 0 });
    expect(await episode.step(JUNK)).toMatchObject({ reward: 0 });
  });

  it('is paid once where that alone is set right', async () => {
    const episode = await (await remoteBabyAi({ compat: 'agentgym', payOnce: true })).start(LATE);
    const { reward, done } = await winLate(episode);
    expect({ isPaid: reward > 0, done }).toEqual({ isPaid: true, done: false });
    expect(await episode.step(JUNK)).toMatchObject({ reward: 0, success: false, done: false });
  });
});

describe('a server of BabyAI that is not what it seems', () => {
  /** A server whose answers to a route are changed. */
  function changed(name: string, change: (answer: Record<string, unknown>) => unknown): ServedWorld {
    const world = servedBabyAi();
    const route = world.routes[name];
    if (!route) throw new Error(`there is no route ${name}`);
    // Every answer of the routes changed here is an object.
    const answer = (input: unknown) => change(route.answer(input) as Record<string, unknown>);
    return { openIds: [], routes: { ...world.routes, [name]: { ...route, answer } } };
  }

  it('is told from a BabyAI where it names no goal', async () => {
    const world = changed('POST /reset', (answer) => ({ ...answer, observation: 'You are in a room.' }));
    const environment = await remoteBabyAi({}, world);
    await expect(environment.start(LATE)).rejects.toThrow(/\/reset told no goal: “You are in a room\.”/);
  });

  it.each([
    'Here you are.',
    'Here you are.\nAvailable actions: ["turn left"',
    'Here.\nAvailable actions: [1]',
  ])('is told from a BabyAI where a turn ends without a list of actions: %s', async (observation) => {
    const world = changed('POST /step', (answer) => ({ ...answer, observation }));
    const episode = await (await remoteBabyAi({}, world)).start(LATE);
    await expect(episode.step('turn left')).rejects.toThrow('/step told no list of available actions: “');
  });

  it('is not believed where the score shows a turn that was not ours', async () => {
    const environment = await remoteBabyAi({ compat: 'agentgym' });
    const episode = await environment.start(LATE);
    await winLate(episode);
    const body = JSON.stringify({ id: 0, action: JUNK });
    await fetch(`${server.address}/step`, { method: 'POST', body });
    await expect(episode.step(JUNK)).rejects.toThrow(/told a score of .*someone else plays in environment 0/);
  });
});
