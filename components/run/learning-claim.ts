import type { EvaluationRow } from '@/contract/api';
import type { EvaluationResult } from '@/contract/evaluation';
import { formatDifference } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { SMALL_SAMPLE } from '@/components/ui/rate';
import { newcombe } from '@/stats/newcombe';
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
  const fewest = Math.min(checkpoint.n, maskedBase.n);
  if (fewest < SMALL_SAMPLE) return { claimed: false, words: `${who}: n = ${fewest}, not compared` };
  const interval = newcombe(
    { k: checkpoint.successes, n: checkpoint.n },
    { k: maskedBase.successes, n: maskedBase.n },
  );
  if (interval.low > 0)
    return {
      claimed: true,
      words: `${who} exceeds the masked base by ${formatDifference(interval)} (${counts})`,
    };
  const relation = interval.high < 0 ? 'is below' : 'is not distinguishable from';
  return {
    claimed: false,
    words: `${who} ${relation} the masked base: ${formatDifference(interval)} (${counts})`,
  };
}
