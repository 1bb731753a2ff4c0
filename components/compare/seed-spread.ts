import type { ComparedCheckpoint } from '@/contract/compare';
import { formatDecimals, MISSING } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { summariseSeeds, type SeedSummary } from '@/stats/seeds';
import { hasSameTasks, settingDifferences } from './chosen-evaluations';
import type { CompareRow, CompareTable } from './compare-table';
import type { Played } from './played';

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
      return [
        {
          row,
          split,
          evaluation: evaluationSeeds(cell.played),
          training: trainingSeeds(row, cell.played, rows, split),
        },
      ];
    }),
  );
}

/** Of the same tasks alone: of others the rate differs whatever the seed. */
function evaluationSeeds({ evaluations, shown, countsErrors }: Played): SeedValue[] {
  return evaluations.flatMap(({ evaluation }): SeedValue[] => {
    const { seed, successes, n, errors } = evaluation;
    const counted = countsErrors ? n : n - (errors ?? 0);
    return hasSameTasks(evaluation, shown) && counted > 0
      ? [{ seed, percent: (100 * successes) / counted }]
      : [];
  });
}

/** This checkpoint's, then those of other seeds, each seed once, where they were evaluated alike. */
function trainingSeeds(
  row: CompareRow,
  { shown }: Played,
  rows: readonly CompareRow[],
  split: Split,
): SeedValue[] {
  const bySeed = new Map<number | null, SeedValue>();
  for (const other of [row, ...rows]) {
    const { seed } = other.checkpoint;
    const cell = other.cells.get(split);
    const isAlike = other === row || isOtherSeedOf(other.checkpoint, row.checkpoint);
    if (!cell?.rate || !isAlike || bySeed.has(seed)) continue;
    if (settingDifferences(cell.played.shown, shown).length > 0) continue;
    bySeed.set(seed, { seed, percent: 100 * cell.rate.fraction });
  }
  return [...bySeed.values()];
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
