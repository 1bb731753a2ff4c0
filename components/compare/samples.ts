import type { NoiseFloor } from '@/contract/pair';
import type { TrajectorySummary } from '@/contract/run-events';
import { formatDifference, formatRate, MISSING } from '@/contract/format';
import { compareRates, type SuccessCount } from '@/components/ui/compare-rates';
import { verdictWords } from '@/stats/comparison-verdict';
import { wilson } from '@/stats/wilson';

/** Of the samples whose outcome is stated. */
export function countSuccesses(samples: readonly Pick<TrajectorySummary, 'success'>[]): SuccessCount {
  const judged = samples.filter(({ success }) => success !== null);
  return { successes: judged.filter(({ success }) => success).length, n: judged.length };
}

/** `7/8 87.5 [52.9, 97.8]`: samples of one task that succeeded, Wilson 95 % interval in percent. */
export function rateWords({ successes, n }: SuccessCount): string {
  return n === 0 ? 'no samples' : formatRate(successes, n, wilson(successes, n));
}

/** What the samples of both sides say of this one task, and no more. */
export function samplesSentence(a: SuccessCount, b: SuccessCount): string {
  const comparison = compareRates(b, a);
  if (!comparison) return 'One side has no samples, so nothing is compared.';
  const { verdict, interval } = comparison;
  const difference = `B less A ${formatDifference(interval)}, 95% Newcombe`;
  switch (verdict.kind) {
    case 'not_compared':
      return `${verdictWords(verdict)}.`;
    case 'higher':
    case 'lower':
      return `${difference}, on this task; other tasks may differ.`;
    case 'equivalent':
    case 'not_distinguishable':
      return `Not distinguishable: ${difference}.`;
  }
}

/**
 * How early the sides part, beside how early two samples of one and the same checkpoint do: what parts them no earlier
 * may be chance.
 */
export function noiseWords(
  /** From 1; null where the sides never part. */
  divergenceTurn: number | null,
  { a, b }: Readonly<Record<'a' | 'b', { noiseFloor: NoiseFloor | null }>>,
): string {
  const parting = divergenceTurn === null ? 'A and B never part.' : `A and B part at turn ${divergenceTurn}.`;
  const floors = [
    ['A', a.noiseFloor],
    ['B', b.noiseFloor],
  ] as const;
  return `${parting} Noise floor, two samples of one checkpoint: ${floors.map(([side, floor]) => `${side} ${floorWords(floor)}`).join('; ')}.`;
}

function floorWords(floor: NoiseFloor | null): string {
  if (!floor) return `${MISSING}, fewer than two samples`;
  const { medianTurn, neverPart, pairs, samples } = floor;
  const never = neverPart > 0 ? `, ${neverPart} never` : '';
  return `${medianTurn === null ? 'mostly never part' : `median turn ${medianTurn}`} (${pairs} ${pairs === 1 ? 'pair' : 'pairs'} of ${samples} samples${never})`;
}
