import { describe, expect, it } from 'vitest';
import { evaluatedRunOf, evaluationKey } from './evaluation';

const greedy = {
  checkpoint: null,
  step: 40,
  policy: 'checkpoint',
  split: 'valid_seen',
  decoding: 'greedy',
  seed: 1,
} as const;

describe('evaluationKey', () => {
  it('names checkpoint, step, policy, split, decoding and seed', () => {
    expect(evaluationKey(greedy)).toBe('own/40/checkpoint/valid_seen/greedy/1');
    expect(evaluationKey({ ...greedy, checkpoint: { runId: 'r-0003', step: 40 } })).toBe(
      'r-0003/40/checkpoint/valid_seen/greedy/1',
    );
  });

  it('tells the run whose checkpoint it is of, whatever its id and seed', () => {
    const keyOf = (runId: string) =>
      evaluationKey({ ...greedy, seed: null, checkpoint: { runId, step: 40 } });
    expect(evaluatedRunOf(evaluationKey(greedy))).toBeNull();
    expect(['r-0003', 'a/b'].map((runId) => evaluatedRunOf(keyOf(runId)))).toEqual(['r-0003', 'a/b']);
  });

  it('differs wherever one of them does', () => {
    const others = [
      { ...greedy, checkpoint: { runId: 'r-0003', step: 40 } },
      { ...greedy, step: 41 },
      { ...greedy, policy: 'masked_base' as const },
      { ...greedy, split: 'valid_unseen' as const },
      { ...greedy, decoding: 'sampled' as const },
      { ...greedy, seed: 2 },
    ];
    expect(new Set([greedy, ...others].map(evaluationKey)).size).toBe(others.length + 1);
  });
});
