import { formatPercent, MISSING } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { verdictWords } from '@/stats/comparison-verdict';
import type { ExportRow, ExportTable, ExportValue } from '@/components/export/table-formats';
import type { CompareState } from './compare-state';
import type { Compared, CompareCell, CompareTable } from './compare-table';
import {
  againstWords,
  countNotes,
  differenceInterval,
  differenceWords,
  METHOD_WORDS,
  pairingWords,
  rateWords,
  settingWords,
  testWords,
} from './compare-words';
import { BOOTSTRAP_SEED, type Behaviour, type Played } from './played';
import { spreadOf, spreadWords, type SeedSpread } from './seed-spread';
import type { TaskTypes } from './task-types';

type Filters = ExportTable['filters'];

/** What the figures of the page depend on, for a table that leaves it. */
export function compareFilters(table: CompareTable, state: CompareState): Filters {
  return [
    { name: 'baseline', value: table.baseline?.name ?? 'none' },
    { name: 'settings', value: settingWords(table) },
    ...(state.settings === null ? [{ name: 'decoding', value: state.decoding }] : []),
    { name: 'interval', value: state.interval === 'wilson' ? '95% Wilson' : '95% Clopper-Pearson' },
    { name: 'p_values', value: table.adjusted ? 'Holm' : 'not adjusted' },
    { name: 'errored', value: state.countsErrors ? 'count as failures' : 'left out' },
    ...(state.anyway ? [{ name: 'unlike_settings', value: 'compared anyway' }] : []),
    { name: 'bootstrap', value: `10000 draws, seed ${BOOTSTRAP_SEED}` },
  ];
}

/** The matrix: on screen and on paper a row a checkpoint, with three columns a split. */
export function exportMatrix(
  table: CompareTable,
  behaviours: ReadonlyMap<Played, Behaviour> | null,
  filters: Filters,
): ExportTable {
  return {
    title: 'Compare',
    filters,
    columns: [
      { title: 'Checkpoint' },
      ...table.splits.flatMap((split) => [
        { title: `${split}, k/n, % [95%]`, numeric: true },
        { title: 'difference [95%]', numeric: true },
        { title: 'verdict' },
      ]),
    ],
    rows: table.rows.map((row): ExportRow => {
      const { runId, runName, step } = row.checkpoint;
      const cells = table.splits.map((split) => ({ split, cell: row.cells.get(split) ?? null }));
      return {
        cells: [row.title, ...cells.flatMap(({ split, cell }) => matrixCells(cell, split, table.adjusted))],
        values: {
          run: runId,
          run_name: runName,
          step,
          ...merged(
            cells.map(({ split, cell }) =>
              matrixValues(cell, cell && behaviours?.get(cell.played), split, table.adjusted),
            ),
          ),
        },
      };
    }),
  };
}

function merged(parts: readonly Record<string, ExportValue>[]): Record<string, ExportValue> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

function matrixCells(cell: CompareCell | null, split: Split, adjusted: boolean): string[] {
  if (!cell) return [`${split} not evaluated`, MISSING, MISSING];
  const { against } = cell;
  const rate = rateWords(cell.played, cell.rate);
  if (against === null) return [rate, 'baseline', ''];
  if (against.kind !== 'compared') return [rate, MISSING, againstWords(against)];
  return [
    rate,
    `${differenceWords(against.comparison)} ${differenceInterval(against.comparison)}`,
    [againstWords(against), ...testOf(against, adjusted)].join('; '),
  ];
}

/** The test and the tasks that it rests on, where one was made. */
function testOf(against: Compared, adjusted: boolean): string[] {
  return against.verdict.kind === 'not_compared'
    ? []
    : [testWords(against, adjusted), pairingWords(against.comparison)];
}

function matrixValues(
  cell: CompareCell | null,
  behaviour: Behaviour | null | undefined,
  split: Split,
  adjusted: boolean,
): Record<string, ExportValue> {
  const compared = cell?.against?.kind === 'compared' ? cell.against : null;
  const { played, rate } = cell ?? {};
  const values: Record<string, ExportValue> = {
    k: rate ? (played?.k ?? null) : null,
    n: rate ? (played?.n ?? null) : null,
    tasks: played?.tasks ?? null,
    rate: rate?.fraction ?? null,
    rate_low: rate?.low ?? null,
    rate_high: rate?.high ?? null,
    interval: rate?.method ?? null,
    errored: played?.errors ?? null,
    truncated: played?.truncated ?? null,
    difference: compared?.comparison.difference.difference ?? null,
    difference_low: compared?.comparison.difference.low ?? null,
    difference_high: compared?.comparison.difference.high ?? null,
    method: compared ? METHOD_WORDS[compared.comparison.method] : null,
    p: compared?.comparison.pValue ?? null,
    p_holm: compared && adjusted ? compared.pValue : null,
    gained: compared?.comparison.changes?.gained.length ?? null,
    lost: compared?.comparison.changes?.lost.length ?? null,
    verdict: cell?.against ? againstWords(cell.against) : null,
    invalid_action_rate: behaviour?.invalid?.rate ?? null,
    turns_mean: behaviour?.turnsMean ?? null,
    reply_tokens_mean: behaviour?.replyTokensMean ?? null,
    notes: played
      ? [...Object.values(played.hidden), ...countNotes(played)].join('; ')
      : `${split} not evaluated`,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${split}_${name}`, value]));
}

/** Task types, a row a type and the macro and micro means beneath. */
export function exportTaskTypes(types: TaskTypes, filters: Filters): ExportTable {
  const { table, split } = types;
  const values = (taskType: string, column: number): Record<string, ExportValue> => {
    const row = table.rows[column];
    const cell = types.rows.find((each) => each.taskType === taskType)?.cells[column];
    const named = {
      k: cell?.k ?? null,
      n: cell?.n ?? null,
      rate: cell?.rate?.fraction ?? null,
      rate_low: cell?.rate?.low ?? null,
      rate_high: cell?.rate?.high ?? null,
      difference: cell?.against?.comparison.difference.difference ?? null,
      p: cell?.against?.comparison.pValue ?? null,
      p_holm: cell?.against && types.adjusted ? cell.against.pValue : null,
      verdict: cell?.against ? verdictWords(cell.against.verdict) : null,
    };
    return Object.fromEntries(Object.entries(named).map(([name, value]) => [`${row?.name}_${name}`, value]));
  };
  const mean = (title: string, fractions: readonly (number | null)[]): ExportRow => ({
    cells: [title, ...fractions.map(formatPercent)],
    values: {
      task_type: title,
      ...merged(
        table.rows.map((row, column) => ({
          ...values('', column),
          [`${row.name}_rate`]: fractions[column] ?? null,
        })),
      ),
    },
  });
  return {
    title: `By task type, ${split}`,
    filters: [{ name: 'split', value: split }, ...filters],
    columns: [
      { title: 'Task type' },
      ...table.rows.map(({ title }) => ({ title: `${title}, k/n, % [95%]`, numeric: true })),
    ],
    rows: [
      ...types.rows.map(({ taskType, cells }): ExportRow => ({
        cells: [
          taskType,
          ...cells.map((cell, column) =>
            cell ? typeWords(cell, types.adjusted) : (types.absent[column] ?? MISSING),
          ),
        ],
        values: { task_type: taskType, ...merged(cells.map((_, column) => values(taskType, column))) },
      })),
      mean('macro, mean of the types', types.macro),
      mean(
        'micro, all tasks',
        table.rows.map(({ cells }) => cells.get(split)?.rate?.fraction ?? null),
      ),
    ],
  };
}

function typeWords(
  { k, n, rate, against }: NonNullable<TaskTypes['rows'][number]['cells'][number]>,
  adjusted: boolean,
): string {
  const figure = rate
    ? `${k}/${n} ${formatPercent(rate.fraction)} [${formatPercent(rate.low)}, ${formatPercent(rate.high)}]`
    : MISSING;
  if (!against) return figure;
  const test = against.verdict.kind === 'not_compared' ? '' : `, ${testWords(against, adjusted)}`;
  return `${figure}; ${differenceWords(against.comparison)}, ${againstWords(against)}${test}`;
}

/** Mean ± sample standard deviation over seeds, evaluation and training apart. */
export function exportSeeds(spreads: readonly SeedSpread[], filters: Filters): ExportTable {
  return {
    title: 'Seeds',
    filters,
    columns: [
      { title: 'Checkpoint' },
      { title: 'Split' },
      { title: 'Evaluation seeds, %, mean ± sd', numeric: true },
      { title: 'Training seeds, %, mean ± sd', numeric: true },
    ],
    rows: spreads.map(({ row, split, evaluation, training }): ExportRow => {
      const [own, trained] = [spreadOf(evaluation), spreadOf(training)];
      return {
        cells: [row.title, split, spreadWords(evaluation), spreadWords(training)],
        values: {
          checkpoint: row.name,
          split,
          evaluation_seeds: own?.n ?? 0,
          evaluation_mean_percent: own?.mean ?? null,
          evaluation_sd_percent: own?.standardDeviation ?? null,
          training_seeds: trained?.n ?? 0,
          training_mean_percent: trained?.mean ?? null,
          training_sd_percent: trained?.standardDeviation ?? null,
        },
      };
    }),
  };
}
