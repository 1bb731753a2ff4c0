'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ComparableRun, Comparison } from '@/contract/compare';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';

/** Evaluations of the named checkpoints, trajectory by trajectory; what is on screen stays while others are added. */
export function useComparison(names: readonly string[]) {
  return useQuery({
    queryKey: queryKeys.comparison(names),
    queryFn: ({ signal }) => getJson<Comparison>(apiUrl('/compare', { c: names }), signal),
    enabled: names.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** Runs with evaluated checkpoints whose name or id holds the text. */
export function useComparable(text: string) {
  return useQuery({
    queryKey: queryKeys.comparable(text),
    queryFn: ({ signal }) => getJson<ComparableRun[]>(apiUrl('/compare/checkpoints', { text }), signal),
    placeholderData: keepPreviousData,
  });
}
