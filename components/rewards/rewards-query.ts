'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RescoredRewards } from '@/contract/rewards';
import { apiUrl, getJson } from '@/components/data/api-client';
import { queryKeys } from '@/components/data/query-keys';

/** What of the formula the URL states; what it leaves out is as the run has it. */
export const FORMULA_FIELDS = [
  'outcome',
  'scale',
  'invalidActionPenalty',
  'formatPenalty',
  'formatReward',
  'over',
] as const;
export type FormulaField = (typeof FORMULA_FIELDS)[number];
export type StatedFormula = Partial<Record<FormulaField, string>>;

export function readFormula(params: { get(name: string): string | null }): StatedFormula {
  return Object.fromEntries(
    FORMULA_FIELDS.flatMap((name) => {
      const value = params.get(name)?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** Rewards of a run's stored trajectories under the stated formula; of a single step also each of them. */
export function useRescored(runId: string, formula: StatedFormula, step: number | null) {
  const query = { ...formula, fromStep: step ?? undefined, toStep: step ?? undefined };
  return useQuery({
    queryKey: [...queryKeys.run(runId), 'rewards', query],
    queryFn: ({ signal }) =>
      getJson<RescoredRewards>(apiUrl(`/runs/${encodeURIComponent(runId)}/rewards`, query), signal),
    placeholderData: keepPreviousData,
  });
}
