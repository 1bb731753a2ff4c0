import { checkpointName, type ComparedCheckpoint, type Comparison } from '@/contract/compare';
import type { EvaluationDifference } from '@/contract/evaluation-differences';
import { SPLITS, type Split } from '@/contract/trajectory';
import { createRandom } from '@/rl/random';
import { compareOutcomes, outcomeVerdict, type OutcomeComparison } from '@/stats/compare-outcomes';
import type { ComparisonVerdict } from '@/stats/comparison-verdict';
import { holmAdjusted } from '@/stats/holm';
import { settingDifferences } from './chosen-evaluations';
import type { CompareState } from './compare-state';
import { settingsKey } from './settings-choice';
import {
  behaviourOf,
  BOOTSTRAP_SEED,
  playedBy,
  rateOf,
  type Behaviour,
  type Played,
  type RateEstimate,
} from './played';

/** Checkpoints by splits. */
export interface CompareTable {
  rows: CompareRow[];
  baseline: CompareRow | null;
  /** Splits that some checkpoint was evaluated on. */
  splits: Split[];
  /** Comparisons with the baseline; beyond one, p-values are Holm's unless that is off. */
  comparisons: number;
  adjusted: boolean;
  standings: Standing[];
}

export interface CompareRow {
  name: string;
  title: string;
  checkpoint: ComparedCheckpoint;
  /** One a split of the table; null where the checkpoint was not evaluated on it. */
  cells: ReadonlyMap<Split, CompareCell | null>;
}

export interface CompareCell {
  played: Played;
  rate: RateEstimate | null;
  /** Against the baseline's cell; null for the baseline itself. */
  against: Against | null;
}

export type Against =
  | { kind: 'not_evaluated' }
  /** Success of one of the sides is marked as saying nothing. */
  | { kind: 'hidden'; words: string }
  | { kind: 'unlike'; differences: EvaluationDifference[] }
  | {
      kind: 'compared';
      comparison: OutcomeComparison;
      verdict: ComparisonVerdict;
      /** Holm's where the table's are adjusted; null where no test gives one. */
      pValue: number | null;
      /** Settings that differ, compared all the same. */
      differences: EvaluationDifference[];
    };

export type Compared = Extract<Against, { kind: 'compared' }>;

/** Who is highest on a split, with whoever is as high, and whether the tests set it apart from every other checkpoint there. */
export interface Standing {
  split: Split;
  highest: CompareRow[];
  fraction: number;
  isApart: boolean;
}

type Choice = Pick<
  CompareState,
  'baseline' | 'decoding' | 'settings' | 'interval' | 'holm' | 'countsErrors' | 'anyway'
>;

/** The whole table. Yields between figures that take long, so that whoever drives it can let the page breathe. */
export function* compareTable(
  { checkpoints }: Comparison,
  choice: Choice,
): Generator<undefined, CompareTable> {
  const considered = underSettings(checkpoints, choice.settings);
  const splits = SPLITS.filter((split) =>
    considered.some(({ evaluations }) => evaluations.some(({ evaluation }) => evaluation.split === split)),
  );
  const ordered = titled(considered);
  const first = ordered.find(({ name }) => name === choice.baseline) ?? ordered[0];
  const beside = ordered.flatMap(({ name, checkpoint }) =>
    name === first?.name ? [] : [checkpoint.evaluations],
  );
  const rows: CompareRow[] = [];
  for (const { name, title, checkpoint } of ordered) {
    const cells = new Map<Split, CompareCell | null>();
    for (const split of splits) {
      const base = first ? playedBy(first.checkpoint, { ...choice, split, like: null, beside }) : null;
      const played =
        name === first?.name
          ? base
          : playedBy(checkpoint, { ...choice, split, like: base?.shown ?? null, beside: [] });
      yield;
      const isShown = played && played.hidden.success_rate === undefined;
      const rate = isShown ? rateOf(played, choice.interval) : null;
      yield;
      const against = played && name !== first?.name ? compareWith(base, played, choice.anyway) : null;
      cells.set(split, played && { played, rate, against });
    }
    rows.push({ name, title, checkpoint, cells });
  }
  const { comparisons, adjusted } = adjust(rows, choice.holm);
  return {
    rows,
    baseline: rows.find(({ name }) => name === first?.name) ?? null,
    splits,
    comparisons,
    adjusted,
    standings: yield* standingsOf(rows, splits),
  };
}

/** The checkpoints with their evaluations under the settings of that key alone; as they are where none has them. */
function underSettings(
  checkpoints: readonly ComparedCheckpoint[],
  key: string | null,
): readonly ComparedCheckpoint[] {
  const under = checkpoints.map((checkpoint) => ({
    ...checkpoint,
    evaluations: checkpoint.evaluations.filter(({ evaluation }) => settingsKey(evaluation) === key),
  }));
  return under.some(({ evaluations }) => evaluations.length > 0) ? under : checkpoints;
}

/** What the checkpoints did besides winning, by what they played. Yields between the bootstraps. */
export function* behavioursOf({
  rows,
}: Pick<CompareTable, 'rows'>): Generator<undefined, ReadonlyMap<Played, Behaviour>> {
  const behaviours = new Map<Played, Behaviour>();
  for (const { cells } of rows)
    for (const cell of cells.values()) {
      if (cell) behaviours.set(cell.played, behaviourOf(cell.played));
      yield;
    }
  return behaviours;
}

/** `Step 40` where all are of one run, else with the run's name. */
function titled(
  checkpoints: readonly ComparedCheckpoint[],
): Pick<CompareRow, 'name' | 'title' | 'checkpoint'>[] {
  const isOneRun = new Set(checkpoints.map(({ runId }) => runId)).size === 1;
  const names = new Map(checkpoints.map(({ runId, runName }) => [runId, runName]));
  const isTold = new Set(names.values()).size === names.size;
  return checkpoints.map((checkpoint) => ({
    name: checkpointName(checkpoint),
    title: isOneRun
      ? `Step ${checkpoint.step}`
      : `${checkpoint.runName}${isTold ? '' : ` (${checkpoint.runId})`}, step ${checkpoint.step}`,
    checkpoint,
  }));
}

function compareWith(base: Played | null, played: Played, anyway: boolean): Against {
  if (!base) return { kind: 'not_evaluated' };
  const hidden = played.hidden.success_rate ?? base.hidden.success_rate;
  if (hidden !== undefined) return { kind: 'hidden', words: hidden };
  const differences = settingDifferences(base.shown, played.shown);
  if (differences.length > 0 && !anyway) return { kind: 'unlike', differences };
  const comparison = compareOutcomes(base.outcomes, played.outcomes, createRandom(BOOTSTRAP_SEED));
  if (!comparison) return { kind: 'not_evaluated' };
  const { pValue } = comparison;
  return { kind: 'compared', comparison, verdict: outcomeVerdict(comparison), pValue, differences };
}

/** Comparisons in which something was tested, and whether their p-values are Holm's. */
function adjust(rows: readonly CompareRow[], holm: boolean): { comparisons: number; adjusted: boolean } {
  const family = rows.flatMap(({ cells }) =>
    [...cells.values()].flatMap((cell) => (cell?.against?.kind === 'compared' ? [cell.against] : [])),
  );
  const comparisons = testedOf(family).length;
  return { comparisons, adjusted: holm && adjustTogether(family) };
}

function testedOf(family: readonly Compared[]): Compared[] {
  return family.filter(({ verdict }) => verdict.kind !== 'not_compared');
}

/**
 * Puts Holm's p-values of one family, and the verdicts they allow, where several were tested; what was too small to be tested has
 * none then. Returns whether it did.
 */
export function adjustTogether(family: readonly Compared[]): boolean {
  const tested = testedOf(family);
  if (tested.length < 2) return false;
  const pValues = adjustedPValues(tested.map(({ pValue }) => pValue));
  for (const against of family) {
    const pValue = pValues[tested.indexOf(against)];
    if (pValue === undefined) against.pValue = null;
    else Object.assign(against, { pValue, verdict: outcomeVerdict(against.comparison, pValue) });
  }
  return true;
}

/** Holm's p-values of one family, in the given order; comparisons without a p-value keep none. */
function adjustedPValues(pValues: readonly (number | null)[]): (number | null)[] {
  const adjusted = holmAdjusted(pValues.filter((pValue) => pValue !== null));
  let next = 0;
  return pValues.map((pValue) => (pValue === null ? null : (adjusted[next++] ?? null)));
}

function* standingsOf(
  rows: readonly CompareRow[],
  splits: readonly Split[],
): Generator<undefined, Standing[]> {
  const standings: Standing[] = [];
  for (const split of splits) {
    const placed = rows
      .flatMap((row) => {
        const cell = row.cells.get(split);
        return cell?.rate ? [{ row, played: cell.played, fraction: cell.rate.fraction }] : [];
      })
      .sort((a, b) => b.fraction - a.fraction);
    const [highest, ...others] = placed;
    if (!highest || others.length === 0) continue;
    const comparisons: OutcomeComparison[] = [];
    for (const other of others) {
      const isAlike = settingDifferences(other.played.shown, highest.played.shown).length === 0;
      const comparison = isAlike
        ? compareOutcomes(other.played.outcomes, highest.played.outcomes, createRandom(BOOTSTRAP_SEED))
        : null;
      if (comparison) comparisons.push(comparison);
      yield;
    }
    const pValues = adjustedPValues(comparisons.map(({ pValue }) => pValue));
    const verdicts = comparisons.map((comparison, index) => outcomeVerdict(comparison, pValues[index]));
    standings.push({
      split,
      highest: placed.filter(({ fraction }) => fraction === highest.fraction).map(({ row }) => row),
      fraction: highest.fraction,
      isApart: verdicts.length === others.length && verdicts.every(({ kind }) => kind === 'higher'),
    });
  }
  return standings;
}
