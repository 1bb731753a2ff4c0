import { describe, expect, it } from 'vitest';
import { draftStrategies } from './draft-strategies';
import { playEpisodes } from './play';
import type { PendingReply } from './reply';
import { strata } from './scaffolds/strata';
import { corridor, type Corridor, unitTokenizer } from './scaffolds/testing/corridor';

const END = unitTokenizer.specialId('');

function written(text: string) {
  const tokens = [...unitTokenizer.encode(text), END];
  return { tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' as const };
}

const request = (group: number, length = 1) => ({
  task: { id: `corridor/${group}`, taskType: 'leave', split: 'train' as const, length },
  group,
  sample: 0,
  seed: group,
});

const settings = (respond: (pending: readonly PendingReply[], lane: number) => string[]) => ({
  environment: corridor,
  scaffold: strata({ id: 'strata', historyTurns: 2 }),
  tokenizer: unitTokenizer,
  stopTokens: [END],
  respond: (pending: readonly PendingReply[], lane: number) =>
    Promise.resolve(respond(pending, lane).map(written)),
  lanes: 2,
  maxPromptTokens: 10_000,
  step: 0,
  phase: 'train' as const,
  decoding: 'sampled' as const,
  records: () => false,
  clock: () => 0,
});

describe('drafts', () => {
  it('are written for each task from one prompt, each from a seed of its own', async () => {
    const asked: (readonly PendingReply[])[] = [];
    const drafted = await draftStrategies(
      [request(0), request(1), request(2)],
      2,
      settings((pending) => {
        asked.push(pending);
        return pending.map((_, i) => (i === 0 ? 'forward!' : `<strategy>plan ${i}</strategy>`));
      }),
    );
    expect(drafted.map(({ drafts }) => drafts.map(({ text }) => text))).toEqual([
      [null, 'plan 1'],
      [null, 'plan 1'],
      ['plan 2', 'plan 3'],
    ]);
    expect(drafted[0]?.drafts[0]).toMatchObject({ reply: 'forward!', call: { call: 'strategy' } });
    const pending = asked.flat();
    expect(new Set(pending.map(({ seed }) => seed)).size).toBe(6);
    expect(drafted.every(({ failed }) => failed === null)).toBe(true);
  });

  it('are gone on from: an episode shows the strategy and trains on its own calls alone', async () => {
    const [drafted] = await draftStrategies(
      [request(0)],
      1,
      settings(() => ['<strategy>plan</strategy>']),
    );
    const call = drafted?.drafts[0]?.call;
    if (!call) throw new Error('a strategy was written');
    const play = settings((pending) => pending.map(() => '<action>go forward</action>'));
    const { episodes } = await playEpisodes([{ ...request(0), from: [call] }], play);
    expect(episodes[0]?.trajectory).toMatchObject({ strategy: 'plan', turnsCount: 1, givenTurns: 0 });
    expect(episodes[0]?.calls.map((each) => each.call)).toEqual(['action']);
    expect(unitTokenizer.decode(episodes[0]?.calls[0]?.prompt ?? [])).toContain('Your strategy: plan');
  });

  it('are none where a task cannot be started or its prompt is too long, and the episode says why', async () => {
    const failing = {
      ...settings((pending) => pending.map(() => '')),
      environment: {
        ...corridor,
        start(task: Corridor) {
          if (task.length === 0) throw new Error('no door');
          return corridor.start(task);
        },
      },
      maxPromptTokens: 3,
    };
    const drafted = await draftStrategies([request(0, 0), request(1)], 2, failing);
    expect(drafted.map(({ drafts }) => drafts)).toEqual([[], []]);
    expect(drafted.map(({ failed }) => failed?.trajectory.stopReason)).toEqual(['error', 'context_limit']);
  });
});
