import { RunsQuery, RunSelection } from '@/contract/run-list';

const RUNS_A_PAGE = 100;

/** Names of the filters in the URL, which are the query's. */
export const RUN_FILTERS = Object.keys(RunSelection.shape) as (keyof RunSelection)[];

/** Reads the filters, `sort` and `direction` from the URL; what is not valid is left out. */
export function readRunsFilter(params: { get(name: string): string | null }): RunsQuery {
  const given: Record<string, unknown> = { limit: RUNS_A_PAGE };
  for (const name of [...RUN_FILTERS, 'sort', 'direction'] as const) {
    const value = params.get(name);
    if (value !== null && value !== '' && RunsQuery.shape[name].safeParse(value).success) given[name] = value;
  }
  return RunsQuery.parse(given);
}

/** Which runs a query is of, whatever their order and page. */
export function selectionOf({ sort: _sort, direction: _direction, limit: _limit, ...selection }: RunsQuery) {
  return selection;
}
