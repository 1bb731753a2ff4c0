'use client';
import { useSettled } from '@/components/data/settled';
import {
  useTrajectoriesSummary,
  useTrajectoryFilterValues,
  useTrajectoryPages,
} from '@/components/data/trajectory-list-queries';
import { useUrlState } from '@/components/data/url-state';
import { askedList } from './list-reads';

const TYPING_MS = 250;

/**
 * The list of trajectories of a run, or of all runs, that the URL asks for. What is being typed is searched for when the
 * typing pauses.
 */
export function useTrajectoryList(runId: string | null) {
  const { params, set } = useUrlState();
  const text = useSettled(params.get('text') ?? '', TYPING_MS);
  const { query, selection, wordless, ignored } = askedList({
    get: (name) => (name === 'text' ? text : params.get(name)),
  });
  const pages = useTrajectoryPages(runId, query);
  const summary = useTrajectoriesSummary(runId, selection);
  const values = useTrajectoryFilterValues(runId);
  const readAgain = () => Promise.all([pages.refetch(), summary.refetch(), values.refetch()]);
  return { runId, params, set, query, wordless, ignored, pages, summary, values, readAgain };
}
