import type { EvaluationRow } from '@/contract/api';
import type { EvaluationResult } from '@/contract/evaluation';
import { formatDifference } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { verdictWords } from '@/stats/comparison-verdict';
import { compareRates } from '@/components/ui/compare-rates';
import { checkpointEvaluations, DECODINGS, evaluatedSplits, maskedBaseFor } from './evaluation-points';

/** What may be said of learning on a split, and whether it is a claim. */
export interface LearningClaim {
  split: Split;
  claimed: boolean;
  words: string;
}

/** For each split its newest trained checkpoint against the masked base, under a decoding that both were measured in. */
export function learningClaims(rows: readonly EvaluationRow[]): LearningClaim[] {
  return evaluatedSplits(rows).map((split) => ({ split, ...claimOf(rows, split) }));
}

function claimOf(rows: readonly EvaluationRow[], split: Split): Omit<LearningClaim, 'split'> {
  const newest = DECODINGS.flatMap((decoding) => checkpointEvaluations(rows, split, decoding).slice(-1));
  if (newest.length === 0) return { claimed: false, words: 'no checkpoint evaluated' };
  const trained = newest.filter(({ step }) => step > 0);
  if (trained.length === 0) return { claimed: false, words: 'not evaluated after step 0' };
  for (const evaluation of trained) {
    const maskedBase = maskedBaseFor(rows, evaluation);
    if (maskedBase) return compare(evaluation, maskedBase);
  }
  return { claimed: false, words: 'no masked base measured, so no learning is claimed' };
}

function compare(checkpoint: EvaluationResult, maskedBase: EvaluationResult): Omit<LearningClaim, 'split'> {
  const who = `checkpoint of step ${checkpoint.step}`;
  const counts = `${checkpoint.successes}/${checkpoint.n} against ${maskedBase.successes}/${maskedBase.n}, ${checkpoint.decoding}`;
  const comparison = compareRates(checkpoint, maskedBase);
  if (!comparison) return { claimed: false, words: `${who}: n = 0, not compared` };
  const { verdict, interval } = comparison;
  const difference = `${formatDifference(interval)} (${counts})`;
  switch (verdict.kind) {
    case 'not_compared':
      return { claimed: false, words: `${who}: ${verdictWords(verdict)}` };
    case 'higher':
      return { claimed: true, words: `${who} exceeds the masked base by ${difference}` };
    case 'lower':
      return { claimed: false, words: `${who} is below the masked base: ${difference}` };
    case 'equivalent':
    case 'not_distinguishable':
      return { claimed: false, words: `${who} is not distinguishable from the masked base: ${difference}` };
  }
}
