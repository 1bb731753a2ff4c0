'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CapabilityRow } from '@/contract/capability';
import type { ImportRow, UploadedImport } from '@/contract/imports';
import { apiUrl, getJson, postFile } from './api-client';
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

/** Sends a file to be imported; the list is asked for anew once it is read. */
export function useUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => postFile<UploadedImport>(apiUrl('/imports', { name: file.name }), file),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.imports }),
  });
}
