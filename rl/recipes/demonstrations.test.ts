import { describe, expect, it } from 'vitest';
import { SftConfig } from '@/contract/recipes/sft';
import { SFT_PRESETS } from '@/contract/recipes/sft-presets';
import type { Trajectory } from '@/contract/trajectory';
import type { TrajectoryFilter } from '@/contract/trajectory-filter';
import { openBabyAi } from '@/rl/environments/babyai/suite';
import { openBabyAiText } from '@/rl/environments/babyai-text/suite';
import { BABYAI_TEXT_DEFAULTS } from '@/contract/environments/babyai-text';
import { rowsOf } from '@/rl/learning/rows';
import { createRandom } from '@/rl/random';
import { openScaffold } from '@/rl/scaffolds/registry';
import { unitTokenizer } from '@/rl/scaffolds/testing/corridor';
import {
  type Demonstration,
  openDemonstrations,
  turnOf,
  withDealtReplies,
  writtenCall,
} from './demonstrations';
import { playExpert } from './expert-episodes';
import type { RunSetup } from './setup';
import { imitationDataOf } from './sft';
import { playedEpisode } from './testing/played';

const END = unitTokenizer.specialId('');
const small: SftConfig = {
  ...SFT_PRESETS.small,
  rollout: { temperature: 1, maxReplyTokens: 1000, maxPromptTokens: 100_000 },
  demonstrations: { ...SFT_PRESETS.small.demonstrations, perStep: 3 },
};

/** A setup whose engine is a tokenizer: nothing is sampled or trained. */
function setupOf(config: SftConfig, recorded: readonly Trajectory[] = []): RunSetup<SftConfig> {
  const suite =
    config.environment.id === 'babyai'
      ? openBabyAi(config.environment)
      : openBabyAiText({ ...BABYAI_TEXT_DEFAULTS, maxTurns: config.environment.maxTurns });
  // What demonstrating needs of a context, and no more.
  const context = {
    engine: { tokenizer: unitTokenizer, stopTokens: [END], contextTokens: Infinity },
    clock: () => 0,
    trajectories: () =>
      Promise.resolve({
        count: recorded.length,
        at: (index: number) => Promise.resolve(recorded[index]),
        close: () => Promise.resolve(),
      }),
  } as unknown as RunSetup['context'];
  return { config, suite, scaffold: openScaffold(config.scaffold), context };
}

async function demonstrationsOf(setup: RunSetup<SftConfig>) {
  const opening = openDemonstrations(setup);
  const said = [];
  for (;;) {
    const next = await opening.next();
    if (next.done) return { at: next.value.at, said };
    said.push(next.value);
  }
}

describe('the expert', () => {
  it('wins its demonstrations with replies that the scaffold reads, each ended, its record kept where the config says', async () => {
    const { at } = await demonstrationsOf(setupOf({ ...small, recording: { trainGroups: 1 } }));
    const shown = await at(1);
    expect(shown.length).toBeGreaterThan(0);
    for (const { trajectory, calls } of shown) {
      expect([trajectory.success, trajectory.invalidActions, trajectory.phase]).toEqual([true, 0, 'train']);
      expect(trajectory.turns.every(({ formatOk, thought }) => formatOk && thought !== null)).toBe(true);
      expect(calls.every(({ reply }) => reply.at(-1) === END)).toBe(true);
    }
    expect(shown.map(({ trajectory }) => trajectory.turns[0]?.tokens !== null)).toEqual(
      shown.map(({ trajectory }) => trajectory.group === 0),
    );
  });

  it('shows the same for a seed and step, and other tasks at another step', async () => {
    const tasksOf = async (seed: number, step: number) =>
      (await (await demonstrationsOf(setupOf({ ...small, seed }))).at(step)).map(({ trajectory, calls }) => [
        trajectory.taskId,
        calls,
      ]);
    const first = await tasksOf(1, 1);
    expect(await tasksOf(1, 1)).toEqual(first);
    expect((await tasksOf(1, 2)).map(([task]) => task)).not.toEqual(first.map(([task]) => task));
  });

  it('writes a memory after each turn but the last where the scaffold keeps one: two calls a turn', async () => {
    const setup = setupOf({
      ...small,
      environment: { ...BABYAI_TEXT_DEFAULTS, maxTurns: 64 },
      scaffold: { id: 'working-memory', historyTurns: 10 },
    });
    const task = setup.suite.trainTask({ runSeed: 1, step: 0, group: 0 });
    const played = await playExpert(setup, task, { step: 0, group: 0, seed: 1 });
    const turns = played?.trajectory.turns ?? [];
    expect(played?.trajectory.success).toBe(true);
    expect(played?.calls.map(({ call }) => call)).toEqual(
      turns.flatMap((_, i) => (i < turns.length - 1 ? ['action', 'memory'] : ['action'])),
    );
    expect(turns[0]?.memory).toMatch(/^I have done 1 actions of my plan\. What is left of it: /);
  });

  it('refuses a reply that the run could not write, and a scaffold that asks for a strategy', async () => {
    const short = setupOf({ ...small, rollout: { ...small.rollout, maxReplyTokens: 5 } });
    await expect((await demonstrationsOf(short)).at(1)).rejects.toThrow('rollout.maxReplyTokens is 5');
    const strata = setupOf({ ...small, scaffold: { id: 'strata', historyTurns: 2 } });
    await expect((await demonstrationsOf(strata)).at(1)).rejects.toThrow('scaffold strata asks for more');
  });
});

describe('recorded trajectories', () => {
  const filter: TrajectoryFilter = {
    runs: [],
    outcome: 'won',
    taskType: null,
    minReward: null,
    limit: 10,
  };
  const config: SftConfig = {
    ...small,
    demonstrations: { source: 'trajectories', trajectories: filter, perStep: 2, permute: false },
  };
  const recorded = ['a', 'b', 'c'].map((taskId) => playedEpisode({ taskId }, [{}, {}]).trajectory);

  it('are counted in the log with their filter, and told call by call', async () => {
    const { at, said } = await demonstrationsOf(setupOf(config, recorded));
    expect(said).toMatchObject([
      {
        kind: 'log:written',
        message: expect.stringMatching(/^3 trajectories are imitated: .*outcome won/) as string,
      },
    ]);
    const [first] = await at(1);
    expect(first?.calls.map(({ reply }) => unitTokenizer.decode(reply.slice(0, -1)))).toEqual([
      'wait',
      'wait',
    ]);
  });

  it('that are none end the run before it trains', async () => {
    await expect(demonstrationsOf(setupOf(config))).rejects.toThrow('no trajectory is as');
  });

  it('come up once each before any does again, in an order of the seed', () => {
    const items = ['a', 'b', 'c', 'd', 'e'];
    const orderOf = (seed: number) =>
      [1, 2, 3, 4, 5].flatMap((step) => turnOf(items, { seed, demonstrations: { perStep: 2 } }, step));
    const order = orderOf(1);
    expect([...order.slice(0, 5)].sort()).toEqual(items);
    expect([...order.slice(5)].sort()).toEqual(items);
    expect(orderOf(1)).toEqual(order);
    expect([1, 2, 3, 4].map((seed) => orderOf(seed).join()).some((other) => other !== order.join())).toBe(
      true,
    );
  });

  it('keep their recorded ids where this tokenizer reads the reply in them, else are encoded anew', () => {
    const [trajectory] = recorded;
    if (!trajectory) throw new Error('nothing recorded');
    const told = { call: 'action' as const, turn: 0, messages: [], reply: 'wait' };
    const withIds = (ids: number[]): Trajectory => ({
      ...trajectory,
      turns: trajectory.turns.map((turn) => ({ ...turn, tokens: { ids, texts: [], logprobs: [] } })),
    });
    const writing = { tokenizer: unitTokenizer, stopTokens: [END], tools: undefined };
    const own = [...unitTokenizer.encode('wait'), END];
    expect(writtenCall(told, withIds(own), writing).reply).toEqual(own);
    expect(writtenCall(told, withIds([3, 99]), writing).reply).toEqual(own);
    expect(writtenCall(told, trajectory, writing).reply).toEqual(own);
  });
});

it('weighs each reply token of a batch alike, and no token of a prompt', () => {
  const rows = rowsOf(
    [
      { prompt: [1, 2], reply: [3, 4], logprobs: [0, 0] },
      { prompt: [5], reply: [6], logprobs: [0] },
    ],
    1,
  );
  expect(imitationDataOf(rows).map(({ lossFnInputs }) => lossFnInputs)).toEqual([
    { targetTokens: [2, 3, 4], weights: [0, 1 / 3, 1 / 3] },
    { targetTokens: [6], weights: [1 / 3] },
  ]);
});

describe('a config', () => {
  it.each(Object.entries(SFT_PRESETS))('of preset %s is valid', (_, preset) => {
    expect(SftConfig.parse(preset)).toEqual(preset);
  });

  it('of trajectories says which', () => {
    const demonstrations = { ...small.demonstrations, source: 'trajectories' };
    expect(SftConfig.safeParse({ ...small, demonstrations }).error?.issues[0]?.path).toEqual([
      'demonstrations',
      'trajectories',
    ]);
  });
});

describe('dealt replies, the control', () => {
  const calls = (from: number) =>
    [0, 1, 2].map((index) => ({ prompt: [from + index], reply: [100 + from + index], logprobs: [0] }));
  const shown = [0, 10, 20, 30].map((from) => ({
    trajectory: playedEpisode({ taskId: `task ${from}` }, [{}]).trajectory,
    calls: calls(from),
  }));
  const repliesOf = (demonstrations: readonly Demonstration[]) =>
    demonstrations.flatMap((each) => each.calls.map(({ reply }) => reply[0] ?? NaN));

  it('are the step’s own, each once, after prompts that stay where they are', () => {
    const dealt = withDealtReplies(shown, createRandom(1));
    expect(dealt.map((each) => each.calls.map(({ prompt }) => prompt))).toEqual(
      shown.map((each) => each.calls.map(({ prompt }) => prompt)),
    );
    expect(repliesOf(dealt).sort((a, b) => a - b)).toEqual(repliesOf(shown));
    expect(repliesOf(dealt)).not.toEqual(repliesOf(shown));
  });

  it('fall in another order for another seed, and in the same for the same', () => {
    const orderOf = (seed: number) => repliesOf(withDealtReplies(shown, createRandom(seed)));
    expect(orderOf(2)).toEqual(orderOf(2));
    expect(orderOf(2)).not.toEqual(orderOf(1));
  });
});
