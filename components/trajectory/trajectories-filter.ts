import { TrajectoriesQuery } from '@/contract/api';

const TRAJECTORIES_A_PAGE = 100;

/** Names of the filters in the URL; `sort` is the query's `order`. */
const FILTER_NAMES = ['step', 'phase', 'split', 'taskType', 'taskId', 'decoding', 'success'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

export interface TrajectoriesFilter {
  query: TrajectoriesQuery;
  /** Parameters that are no valid filter and were left out, as `name=value`. */
  ignored: string[];
}

/** Reads `?step=&phase=&split=&taskType=&taskId=&decoding=&success=&sort=&offset=`; what is not valid is left out. */
export function readTrajectoriesFilter(params: { get(name: string): string | null }): TrajectoriesFilter {
  const ignored: string[] = [];
  const given: Record<string, unknown> = { limit: TRAJECTORIES_A_PAGE };
  for (const name of [...FILTER_NAMES, 'sort', 'offset'] as const) {
    const value = params.get(name);
    if (value === null || value === '') continue;
    const field = name === 'sort' ? 'order' : name;
    if (TrajectoriesQuery.shape[field].safeParse(value).success) given[field] = value;
    else ignored.push(`${name}=${value}`);
  }
  return { query: TrajectoriesQuery.parse(given), ignored };
}

/** The filters in force, as `phase train`, for the words of an empty page. */
export function filterWords(query: TrajectoriesQuery): { name: FilterName; words: string }[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = query[name];
    if (value === undefined) return [];
    const words = name === 'success' ? (value === 'true' ? 'succeeded' : 'failed') : `${name} ${value}`;
    return [{ name, words }];
  });
}
