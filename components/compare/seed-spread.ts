import type { ComparedCheckpoint } from '@/contract/compare';
import { formatDecimals, MISSING } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { summariseSeeds, type SeedSummary } from '@/stats/seeds';
import type { CompareRow, CompareTable } from './compare-table';

/** One figure a seed, in percent of tasks. */
export interface SeedValue {
  seed: number | null;
  percent: number;
}

export interface SeedSpread {
  row: CompareRow;
  split: Split;
  /** The same checkpoint under other evaluation seeds. */
  evaluation: SeedValue[];
  /** The same recipe, config and step under other training seeds, of the checkpoints compared; this one included. */
  training: SeedValue[];
}

/** Of every checkpoint and split that was evaluated; evaluation seeds and training seeds are never mixed. */
export function seedSpreads({ rows, splits }: CompareTable): SeedSpread[] {
  return rows.flatMap((row) =>
    splits.flatMap((split): SeedSpread[] => {
      const cell = row.cells.get(split);
      if (!cell?.rate) return [];
      const evaluation = cell.played.evaluations.map(({ evaluation: { seed, successes, n } }) => ({
        seed,
        percent: (100 * successes) / n,
      }));
      const alike = rows.filter((other) => other === row || isOtherSeedOf(other.checkpoint, row.checkpoint));
      const training = alike.flatMap(({ checkpoint, cells }): SeedValue[] => {
        const rate = cells.get(split)?.rate;
        return rate ? [{ seed: checkpoint.seed, percent: 100 * rate.fraction }] : [];
      });
      return [{ row, split, evaluation, training }];
    }),
  );
}

function isOtherSeedOf(other: ComparedCheckpoint, checkpoint: ComparedCheckpoint): boolean {
  return (
    other.recipe === checkpoint.recipe &&
    other.configHash === checkpoint.configHash &&
    other.step === checkpoint.step &&
    other.seed !== checkpoint.seed
  );
}

/** Mean and sample standard deviation of the values, in percent; null without one. */
export function spreadOf(values: readonly SeedValue[]): SeedSummary | null {
  return values.length === 0 ? null : summariseSeeds(values.map(({ percent }) => percent));
}

/** `86.79 ± 1.52 (87.86, 85.71), N = 2`; with one seed no ±, with two both values, beyond that mean and sd. */
export function spreadWords(values: readonly SeedValue[]): string {
  const summary = spreadOf(values);
  if (!summary) return MISSING;
  const { n, mean, standardDeviation } = summary;
  const two = (value: number) => formatDecimals(value, 2);
  const spread = standardDeviation === null ? two(mean) : `${two(mean)} ± ${two(standardDeviation)}`;
  const both = n === 2 ? ` (${values.map(({ percent }) => two(percent)).join(', ')})` : '';
  return `${spread}${both}, N = ${n}`;
}
