import { describe, expect, it } from 'vitest';
import { checkpointName, ComparisonQuery, parseCheckpointName } from './compare';

describe('the name of a checkpoint', () => {
  it('leads back to it, even where the run has an @ in its id', () => {
    for (const reference of [
      { runId: 'r-0003', step: 0 },
      { runId: 'a@b', step: 120 },
    ])
      expect(parseCheckpointName(checkpointName(reference))).toEqual(reference);
  });

  it.each(['', 'r-0003', '@4', 'r-0003@', 'r-0003@-1', 'r-0003@1.5', 'r-0003@9999999999'])(
    'is not %o',
    (name) => {
      expect(parseCheckpointName(name)).toBeNull();
    },
  );
});

describe('a query for a comparison', () => {
  it('takes one name or several', () => {
    expect(ComparisonQuery.parse({ c: 'r-1@2' }).c).toEqual([{ runId: 'r-1', step: 2 }]);
    expect(ComparisonQuery.parse({ c: ['r-1@2', 'r-2@0'] }).c).toHaveLength(2);
  });

  it('says what is no name, and refuses none and more than twelve', () => {
    const refusal = ComparisonQuery.safeParse({ c: ['r-1@2', 'r-1'] });
    expect(refusal.error?.issues[0]?.message).toBe('expected RUN@STEP, got r-1');
    expect(ComparisonQuery.safeParse({ c: [] }).success).toBe(false);
    expect(ComparisonQuery.safeParse({ c: new Array(13).fill('r-1@2') }).success).toBe(false);
  });
});
