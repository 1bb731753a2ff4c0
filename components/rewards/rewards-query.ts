'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RewardsQuery, type RescoredRewards } from '@/contract/rewards';
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

/** What the address states of the formula, and what of it is no valid value, as `scale=abc`, which is left out. */
export function readFormula(params: { get(name: string): string | null }): {
  stated: StatedFormula;
  ignored: string[];
} {
  const stated: StatedFormula = {};
  const ignored: string[] = [];
  for (const name of FORMULA_FIELDS) {
    const value = params.get(name)?.trim();
    if (!value) continue;
    if (RewardsQuery.shape[name].safeParse(value).success) stated[name] = value;
    else ignored.push(`${name}=${value.slice(0, 60)}`);
  }
  return { stated, ignored };
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
