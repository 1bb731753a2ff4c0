import { afterEach, describe, expect, it } from 'vitest';
import type { SampledSequence, Tokenizer } from '@/contract/engine';
import { AGENTGYM_DEFAULTS, type AgentGymConfig } from '@/contract/environments/agentgym';
import type { Trajectory } from '@/contract/trajectory';
import { playEpisodes, type PlayRequest } from '@/rl/play';
import type { Responder } from '@/rl/reply';
import { recentActions } from '@/rl/scaffolds/recent-actions';
import { openEnvironment } from '../../environments/open-environment';
import { appleGame, servedAlfWorld } from '../../testing/agentgym-alfworld';
import { servedBabyAi } from '../../testing/agentgym-babyai';
import { AgentGymServer, type AgentGymServerSettings } from '../../testing/agentgym-server';
import { itemTask, type AgentGymTask } from './task';

const servers: AgentGymServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(world = servedBabyAi(), settings: AgentGymServerSettings = {}): Promise<AgentGymServer> {
  const server = await AgentGymServer.start(world, settings);
  servers.push(server);
  return server;
}

function config(address: string, changes: Partial<AgentGymConfig> = {}): AgentGymConfig {
  return { ...AGENTGYM_DEFAULTS, address, timeoutS: 20, maxTurns: 4, ...changes };
}

const END = 0;

/** A token is a UTF-16 code unit; 0 ends a reply. */
const tokenizer: Tokenizer = {
  vocabularySize: 65_536,
  encode: (text) => [...text].map((character) => character.charCodeAt(0)),
  decode: (ids) => String.fromCharCode(...ids),
  specialId: () => END,
  renderChat: (messages) => messages.map(({ content }) => content).join(''),
  encodeChat: (messages) => tokenizer.encode(tokenizer.renderChat(messages)),
};

function written(action: string): SampledSequence {
  const tokens = [...tokenizer.encode(`Action: ${action}`), END];
  return { tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' };
}

const turnLeft: Responder = (pending) => Promise.resolve(pending.map(() => written('turn left')));

/** Plays BabyAI items on a server through the suite that a run's config opens. */
async function play(
  environmentConfig: AgentGymConfig,
  indices: number[],
  respond = turnLeft,
): Promise<Trajectory[]> {
  const suite = await openEnvironment(environmentConfig);
  const requests = indices.map((index): PlayRequest<AgentGymTask> => ({
    task: itemTask(environmentConfig.game, index, 'train'),
    group: null,
    sample: 0,
    seed: index,
  }));
  const { episodes } = await playEpisodes(requests, {
    environment: suite.environment,
    scaffold: recentActions(2),
    tokenizer,
    stopTokens: [END],
    respond,
    lanes: 1,
    maxPromptTokens: 10_000,
    step: 0,
    phase: 'train',
    decoding: 'sampled',
    records: () => true,
    clock: () => 0,
  });
  return episodes.map(({ trajectory }) => trajectory);
}

describe('a run on an AgentGym server', () => {
  it('plays its trajectories there and gives every environment back', async () => {
    const world = servedBabyAi();
    const { address } = await serve(world);
    const trajectories = await play(config(address), [4, 11, 16]);
    expect(trajectories.map(({ stopReason, turnsCount }) => [stopReason, turnsCount])).toEqual(
      Array.from({ length: 3 }, () => ['turn_limit', 4]),
    );
    expect(trajectories[0]).toMatchObject({
      taskId: 'agentgym/babyai_4',
      taskType: 'goto',
      goal: expect.stringMatching(/^go to /),
      finalPicture: null,
      flags: [],
    });
    expect(trajectories[0]?.turns[0]).toMatchObject({ valid: true, admissible: true, picture: null });
    expect(world.openIds).toEqual([]);
  });

  it('is refused where another environment is served, and has no controls', async () => {
    const { address } = await serve(servedAlfWorld(() => appleGame()));
    await expect(openEnvironment(config(address))).rejects.toMatchObject({
      code: 'invalid_input',
      message: `${address} serves AlfWorld; the run asks for babyai, BabyAI on a server`,
    });
    expect(await openEnvironment(config(address, { game: 'alfworld' }))).toMatchObject({ controls: [] });
  });

  it('goes on where some episodes cannot be started', async () => {
    const { address } = await serve(servedBabyAi(), {
      fault: (route, nth) => (route === 'POST /reset' && nth === 0 ? 'html' : null),
    });
    const trajectories = await play(config(address), [4, 3, 11]);
    expect(trajectories.filter(({ stopReason }) => stopReason === 'turn_limit')).toHaveLength(1);
    const failed = trajectories.filter(({ stopReason }) => stopReason === 'error');
    expect(failed.map(({ error, turnsCount }) => [error?.stage, turnsCount])).toEqual([
      ['environment start', 0],
      ['environment start', 0],
    ]);
    const said = failed.map(({ error }) => error?.message).join('\n');
    expect(said).toContain(`POST ${address}/reset answered no JSON: “<html>`);
    expect(said).toContain('not registered');
  });

  it.each([
    ['hang', 2, 'gave no whole answer within 2 s', ['close_failed']],
    ['truncated', 20, 'answered no JSON', []],
    ['wrong_types', 20, 'reward: ', []],
    ['huge', 20, 'answered more than', []],
  ] as const)('goes on where a turn of one episode meets %s', async (fault, timeoutS, message, flags) => {
    const { address } = await serve(servedBabyAi(), {
      fault: (route, nth) => (route === 'POST /step' && nth === 2 ? fault : null),
    });
    const trajectories = await play(config(address, { timeoutS }), [4, 11]);
    expect(trajectories.map(({ stopReason }) => stopReason).sort()).toEqual(['error', 'turn_limit']);
    const failed = trajectories.find(({ stopReason }) => stopReason === 'error');
    expect(failed).toMatchObject({
      error: { stage: 'environment step', message: expect.stringContaining(message) },
      success: false,
      turnsCount: 2,
      flags,
    });
    expect(failed?.turns.at(-1)).toMatchObject({ action: 'turn left', valid: true, reward: 0 });
  });

  it('goes on when the server dies in the middle, and again once it is back', async () => {
    const server = await serve();
    const { address, port } = server;
    let batches = 0;
    const killing: Responder = async (pending, lane) => {
      if (++batches === 3) await server.close();
      return turnLeft(pending, lane);
    };
    const during = await play(config(address), [4, 11], killing);
    expect(during.map(({ stopReason, error }) => [stopReason, error?.stage])).toEqual(
      Array.from({ length: 2 }, () => ['error', 'environment step']),
    );
    expect(during.map(({ turnsCount }) => turnsCount)).toEqual([3, 3]);
    await serve(servedBabyAi(), { port });
    const after = await play(config(address), [4, 11]);
    expect(after.map(({ stopReason }) => stopReason)).toEqual(['turn_limit', 'turn_limit']);
  });
});
