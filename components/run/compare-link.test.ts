import { describe, expect, it } from 'vitest';
import { comparedNames } from './compare-link';
import { anEvaluationRow } from './fixtures';

describe('the checkpoints that a run offers to compare', () => {
  it('are those evaluated, each once by step, those of other runs under their names', () => {
    const checkpoint = { runId: 'r-0002', step: 7 };
    const rows = [
      anEvaluationRow({ step: 10 }),
      anEvaluationRow({ step: 0 }),
      anEvaluationRow({ step: 0, split: 'valid_unseen' }),
      anEvaluationRow({ step: 0, policy: 'masked_base' }),
      anEvaluationRow({ step: 5 }, false),
      anEvaluationRow({ checkpoint, step: 7 }),
    ];
    expect(comparedNames('r-0001', rows)).toEqual(['r-0001@0', 'r-0002@7', 'r-0001@10']);
  });

  it('are the first and the newest where there are too many', () => {
    const rows = Array.from({ length: 20 }, (_, step) => anEvaluationRow({ step }));
    const names = comparedNames('r', rows);
    expect(names).toHaveLength(12);
    expect([names[0], names[1], names.at(-1)]).toEqual(['r@0', 'r@9', 'r@19']);
  });
});
