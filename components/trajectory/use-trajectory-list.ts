'use client';
import { parseSearch } from '@/contract/text-search';
import { useSettled } from '@/components/data/settled';
import {
  useTrajectoriesSummary,
  useTrajectoryFilterValues,
  useTrajectoryPages,
} from '@/components/data/trajectory-list-queries';
import { useUrlState } from '@/components/data/url-state';
import { readTrajectoriesFilter } from './trajectories-filter';

const TYPING_MS = 250;

/**
 * The list of trajectories of a run, or of all runs, that the URL asks for. What is being typed is searched for when the
 * typing pauses; text without a word searches for nothing.
 */
export function useTrajectoryList(runId: string | null) {
  const { params, set } = useUrlState();
  const text = useSettled(params.get('text') ?? '', TYPING_MS);
  const { query: read, ignored } = readTrajectoriesFilter({
    get: (name) => (name === 'text' ? text : params.get(name)),
  });
  const isWordless = read.text !== undefined && parseSearch(read.text).length === 0;
  const query = isWordless ? { ...read, text: undefined } : read;
  const { order: _order, limit: _limit, after: _after, ...selection } = query;
  const pages = useTrajectoryPages(runId, query);
  const summary = useTrajectoriesSummary(runId, selection);
  const values = useTrajectoryFilterValues(runId);
  const readAgain = () => Promise.all([pages.refetch(), summary.refetch(), values.refetch()]);
  return { params, set, query, isWordless, ignored, pages, summary, values, readAgain };
}
