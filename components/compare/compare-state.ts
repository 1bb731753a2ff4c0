import { MAX_COMPARED, parseCheckpointName } from '@/contract/compare';
import { SPLITS, type Split } from '@/contract/trajectory';
import type { IntervalMethod } from './played';

/** What of a comparison stands in its address. */
export interface CompareState {
  /** `RUN@STEP`, each once, in the order in which they were added. */
  names: string[];
  baseline: string | null;
  /** Of the task types and the gained and lost tasks; null = the last with a comparison. */
  split: Split | null;
  /** The checkpoint under the cursor, whose tasks are listed. */
  row: string | null;
  /** Shown where a checkpoint was evaluated in both. */
  decoding: 'sampled' | 'greedy';
  /** `SettingsChoice.key` of the settings to compare under; null = those that most checkpoints share. */
  settings: string | null;
  interval: IntervalMethod;
  /** Whether p-values are adjusted where there are several. */
  holm: boolean;
  /** Whether trajectories that ended in an error count as failures. */
  countsErrors: boolean;
  /** Whether evaluations under other settings are compared all the same. */
  anyway: boolean;
  /** Whether all gained and lost tasks are listed. */
  allTasks: boolean;
}

type Params = Pick<URLSearchParams, 'get' | 'getAll'>;

/** Reads `?c=RUN@STEP&c=…&baseline=&split=&row=&decoding=&settings=&interval=&holm=&errors=&anyway=&tasks=`; what is no checkpoint is left out. */
export function readCompareState(params: Params): CompareState {
  const names = comparedNames(params);
  const named = (name: string) => {
    const value = params.get(name);
    return value !== null && names.includes(value) ? value : null;
  };
  return {
    names,
    baseline: named('baseline') ?? names[0] ?? null,
    split: SPLITS.find((split) => split === params.get('split')) ?? null,
    row: named('row'),
    decoding: params.get('decoding') === 'greedy' ? 'greedy' : 'sampled',
    settings: params.get('settings') || null,
    interval: params.get('interval') === 'clopper-pearson' ? 'clopper_pearson' : 'wilson',
    holm: params.get('holm') !== 'off',
    countsErrors: params.get('errors') !== 'out',
    anyway: params.get('anyway') === '1',
    allTasks: params.get('tasks') === 'all',
  };
}

/** The checkpoints that the address names, as many as are compared. */
function comparedNames(params: Params): string[] {
  return [...new Set(params.getAll('c'))]
    .filter((name) => parseCheckpointName(name) !== null)
    .slice(0, MAX_COMPARED);
}

/** What of the address's checkpoints is not compared, in sentences; empty where all are. */
export function uncomparedWords(params: Params): string[] {
  const asked = [...new Set(params.getAll('c'))];
  const [first, ...others] = comparedNames(params);
  const isUncompared = (name: string | null) => name !== null && name !== first && !others.includes(name);
  const [baseline, row] = [params.get('baseline'), params.get('row')];
  const strange = asked.filter((name) => parseCheckpointName(name) === null);
  const beyond = asked.filter((name) => parseCheckpointName(name) !== null).slice(MAX_COMPARED);
  return [
    ...(strange.length > 0 ? [`Not a checkpoint: ${strange.join(', ')}.`] : []),
    ...(beyond.length > 0
      ? [`At most ${MAX_COMPARED} checkpoints are compared; left out: ${beyond.join(', ')}.`]
      : []),
    ...(first !== undefined && isUncompared(baseline)
      ? [
          `The baseline of the address, ${baseline}, is not among those compared: ${first}, the first, is it instead.`,
        ]
      : []),
    ...(first !== undefined && isUncompared(row)
      ? [
          `The row of the address, ${row}, is not among those compared: the row that is chosen without one is shown.`,
        ]
      : []),
  ];
}

/** The address with other checkpoints; what names one that is gone is dropped. */
export function withCheckpoints(search: string, names: readonly string[]): string {
  const params = new URLSearchParams(search);
  params.delete('c');
  for (const name of names) params.append('c', name);
  for (const key of ['baseline', 'row']) {
    const value = params.get(key);
    if (value !== null && !names.includes(value)) params.delete(key);
  }
  return compareHref(params);
}

/** Address of the comparison of these checkpoints. */
export function comparisonHref(names: readonly string[]): string {
  return withCheckpoints('', names);
}

function compareHref(params: URLSearchParams): string {
  const text = params.toString();
  return text ? `/compare?${text}` : '/compare';
}
