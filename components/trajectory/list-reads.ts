import { parseSearch } from '@/contract/text-search';
import type { TrajectoriesQuery, TrajectorySelection } from '@/contract/trajectory-list';
import { reads } from '@/components/data/reads';
import { readTrajectoriesFilter } from './trajectories-filter';

export interface AskedList {
  query: TrajectoriesQuery;
  /** The query without order and page: which trajectories it is of. */
  selection: TrajectorySelection;
  /** The text that was to be searched for, where there is no word in it; else null. */
  wordless: string | null;
  /** Parameters that are no valid filter, as `name=value`. */
  ignored: string[];
}

/** The list that the URL asks for; text without a word searches for nothing. */
export function askedList(params: { get(name: string): string | null }): AskedList {
  const { query: read, ignored } = readTrajectoriesFilter(params);
  const wordless = read.text !== undefined && parseSearch(read.text).length === 0 ? read.text : null;
  const query = wordless === null ? read : { ...read, text: undefined };
  const { order: _order, limit: _limit, after: _after, ...selection } = query;
  return { query, selection, wordless, ignored };
}

/** What the list of a run, or of all runs where it is null, asks first. */
export function readsOfList(runId: string | null, params: { get(name: string): string | null }) {
  const { query, selection } = askedList(params);
  return [
    reads.trajectoryPages(runId, query),
    reads.trajectoriesSummary(runId, selection),
    reads.trajectoryFilters(runId),
  ];
}
