'use client';
import { useQuery } from '@tanstack/react-query';
import type { CapabilityRow } from '@/contract/capability';
import type { ImportRow } from '@/contract/imports';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';

const IMPORTS_EVERY_MS = 5000;

/** Imports, newest first; asked for anew while the page is open, since another process stores them. */
export function useImports() {
  return useQuery({
    queryKey: queryKeys.imports,
    queryFn: ({ signal }) => getJson<ImportRow[]>(apiUrl('/imports'), signal),
    refetchInterval: IMPORTS_EVERY_MS,
  });
}

/** General capability of a run's checkpoints. */
export function useCapabilities(runId: string) {
  return useQuery({
    queryKey: queryKeys.capabilities(runId),
    queryFn: ({ signal }) =>
      getJson<CapabilityRow[]>(apiUrl(`/runs/${encodeURIComponent(runId)}/capabilities`), signal),
  });
}
