import { FAILURE_MODE_WORDS, FAILURE_MODES } from '@/contract/failure-cluster';
import { TrajectoriesQuery, TrajectorySelection } from '@/contract/trajectory-list';

const TRAJECTORIES_A_PAGE = 100;
/** Characters of a value that is no filter, as it is named on screen. */
const NAMED_CHARACTERS = 60;

export type FilterName = keyof TrajectorySelection;
/** Names of the filters in the URL, which are the query's; `sort` is the query's `order`. */
export const FILTER_NAMES = Object.keys(TrajectorySelection.shape) as FilterName[];

export interface TrajectoriesFilter {
  query: TrajectoriesQuery;
  /** Parameters that are no valid filter and were left out, as `name=value`. */
  ignored: string[];
}

/** Reads the filters and `sort` from the URL; what is not valid is left out. */
export function readTrajectoriesFilter(params: { get(name: string): string | null }): TrajectoriesFilter {
  const ignored: string[] = [];
  const given: Record<string, unknown> = { limit: TRAJECTORIES_A_PAGE };
  for (const name of [...FILTER_NAMES, 'sort'] as const) {
    const value = params.get(name);
    if (value === null || value === '') continue;
    const field = name === 'sort' ? 'order' : name;
    if (TrajectoriesQuery.shape[field].safeParse(value).success) given[field] = value;
    else ignored.push(`${name}=${shortened(value)}`);
  }
  return { query: TrajectoriesQuery.parse(given), ignored };
}

function shortened(value: string): string {
  const characters = [...value];
  if (characters.length <= NAMED_CHARACTERS) return value;
  return `${characters.slice(0, NAMED_CHARACTERS).join('')}… (${characters.length} characters)`;
}

const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  true: 'succeeded',
  false: 'failed',
  not_stated: 'outcome not stated',
};

const WORDS: Partial<Record<FilterName, (value: string) => string>> = {
  success: (value) => OUTCOME_WORDS[value] ?? value,
  taskType: (value) => `task type ${value}`,
  taskId: (value) => `task ${value}`,
  stopReason: (value) =>
    value === 'not_stated' ? 'ending not stated' : `ended by ${value.replace('_', ' ')}`,
  failureMode: (value) => modeWords(value),
  firstBadTurn: (value) => `first bad turn ${Number(value) + 1}`,
  minTurns: (value) => `at least ${value} turns`,
  maxTurns: (value) => `at most ${value} turns`,
  minTokens: (value) => `at least ${value} reply tokens`,
  maxTokens: (value) => `at most ${value} reply tokens`,
  minReward: (value) => `reward at least ${value}`,
  maxReward: (value) => `reward at most ${value}`,
  text: (value) => `text ${value}`,
};

function modeWords(value: string): string {
  const mode = FAILURE_MODES.find((each) => each === value);
  return mode ? FAILURE_MODE_WORDS[mode] : value;
}

/** The filters in force, as `phase train`, for the words of an empty page. */
export function filterWords(selection: TrajectorySelection): { name: FilterName; words: string }[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = selection[name];
    if (value === undefined) return [];
    return [{ name, words: WORDS[name]?.(String(value)) ?? `${name} ${value}` }];
  });
}
