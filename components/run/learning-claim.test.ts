import { describe, expect, it } from 'vitest';
import { anEvaluationRow } from './fixtures';
import { learningClaims } from './learning-claim';

const maskedBase = anEvaluationRow({ step: 0, policy: 'masked_base', successes: 265, n: 420 });
const wordsOf = (rows: Parameters<typeof learningClaims>[0]) =>
  learningClaims(rows).map(({ split, claimed, words }) => `${split} ${claimed}: ${words}`);

describe('what is claimed of learning', () => {
  it('is what exceeds the masked base, by the newest checkpoint under the same decoding', () => {
    const [claim] = learningClaims([
      maskedBase,
      anEvaluationRow({ step: 80, successes: 173, n: 210 }),
      anEvaluationRow({ step: 70, successes: 10, n: 210 }),
      anEvaluationRow({ step: 80, decoding: 'greedy', successes: 1, n: 210 }),
    ]);
    expect(claim?.claimed).toBe(true);
    expect(claim?.words).toMatch(
      /^checkpoint of step 80 exceeds the masked base by \+19\.3 pp \[12\.\d, 25\.\d\] \(173\/210 against 265\/420, sampled\)$/,
    );
  });

  it('is nothing where the interval holds 0', () => {
    const equal = { successes: 54, n: 120, split: 'valid_unseen' } as const;
    expect(
      wordsOf([
        anEvaluationRow({ ...equal, step: 0, policy: 'masked_base' }),
        anEvaluationRow({ ...equal, step: 120 }),
      ]),
    ).toEqual([
      'valid_unseen false: checkpoint of step 120 is not distinguishable from the masked base: 0.0 pp [−12.4, 12.4] (54/120 against 54/120, sampled)',
    ]);
  });

  it('says so where the checkpoint is below', () => {
    const [claim] = learningClaims([maskedBase, anEvaluationRow({ step: 10, successes: 100, n: 210 })]);
    expect(claim?.claimed).toBe(false);
    expect(claim?.words).toContain('step 10 is below the masked base: −15.5 pp');
  });

  it('names what is missing: a later checkpoint, the masked base, or enough tasks', () => {
    expect(wordsOf([maskedBase, anEvaluationRow({ step: 0 })])).toEqual([
      'valid_seen false: not evaluated after step 0',
    ]);
    expect(wordsOf([anEvaluationRow({ step: 10 })])).toEqual([
      'valid_seen false: no masked base measured, so no learning is claimed',
    ]);
    expect(wordsOf([maskedBase, anEvaluationRow({ step: 10, successes: 8, n: 8 })])).toEqual([
      'valid_seen false: checkpoint of step 10: n = 8, not compared',
    ]);
    expect(wordsOf([maskedBase])).toEqual(['valid_seen false: no checkpoint evaluated']);
  });
});
