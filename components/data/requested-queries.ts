'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ActionScoresAnswer, RequestedRun } from '@/contract/action-scores';
import type { LaunchedRun } from '@/contract/api';
import type { Fork, ForkRequest } from '@/contract/forks';
import type { PlayCommand, PlayCommandRequest, PlayRequest, PlayState } from '@/contract/play';
import { isFinalStatus } from '@/contract/run';
import { apiUrl, getJson, mayPass, postJson } from './api-client';

/** A requested run says nothing to a page that does not watch it: while one is under way it is asked for. */
const UNDER_WAY_EVERY_MS = 1500;

function isUnderWay(runs: readonly Pick<RequestedRun, 'status'>[] | undefined): boolean {
  return runs?.some(({ status }) => !isFinalStatus(status)) ?? false;
}

const scoresKey = (trajectories: readonly string[]) => ['action-scores', ...trajectories] as const;
const forksKey = (trajectory: string) => ['forks', trajectory] as const;
const playKey = (runId: string) => ['play', runId] as const;

/** Recorded replies under the checkpoints that played them; null asks nothing. */
export function useActionScores(trajectories: readonly string[] | null) {
  return useQuery({
    queryKey: scoresKey(trajectories ?? []),
    queryFn: ({ signal }) =>
      getJson<ActionScoresAnswer>(apiUrl('/action-scores', { trajectory: trajectories ?? [] }), signal),
    enabled: trajectories !== null,
    refetchInterval: ({ state }) => (isUnderWay(state.data?.requests) ? UNDER_WAY_EVERY_MS : false),
  });
}

export function useRequestActionScores(trajectories: readonly string[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => postJson<ActionScoresAnswer>(apiUrl('/action-scores'), { trajectories }),
    onSuccess: (answer) => client.setQueryData(scoresKey(trajectories), answer),
  });
}

/** Continuations of a recorded trajectory, from all of its turns. */
export function useForks(trajectory: string) {
  return useQuery({
    queryKey: forksKey(trajectory),
    queryFn: ({ signal }) => getJson<Fork[]>(apiUrl('/forks', { trajectory }), signal),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? UNDER_WAY_EVERY_MS : false),
  });
}

export function useRequestForks(trajectory: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: Omit<ForkRequest, 'trajectory'>) =>
      postJson<Fork[]>(apiUrl('/forks'), { ...request, trajectory }),
    onSuccess: () => client.invalidateQueries({ queryKey: forksKey(trajectory) }),
  });
}

/** A play by hand; asked for anew whenever its run has said something, so the caller watches the run. */
export function usePlay(runId: string, position: number | undefined) {
  return useQuery({
    queryKey: [...playKey(runId), position],
    queryFn: ({ signal }) => getJson<PlayState>(apiUrl(`/runs/${encodeURIComponent(runId)}/play`), signal),
    placeholderData: (before) => before,
    enabled: position !== undefined,
  });
}

export function useRequestPlay(onLaunched: (runId: string) => void) {
  return useMutation({
    mutationFn: (request: PlayRequest) => postJson<LaunchedRun>(apiUrl('/plays'), request),
    onSuccess: ({ runId }) => onLaunched(runId),
  });
}

/**
 * Tells a play by hand what to do. Each command has a key of its own, which its repeats keep: sent again where no answer
 * came, it counts once. What was refused stays refused.
 */
export function usePlayCommand(runId: string) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (request: PlayCommandRequest) =>
      postJson<{ number: number }>(apiUrl(`/runs/${encodeURIComponent(runId)}/commands`), request),
    retry: (failures, failure) => failures < 2 && mayPass(failure),
    onSuccess: () => client.invalidateQueries({ queryKey: playKey(runId) }),
  });
  return { give: (command: PlayCommand) => mutate({ key: crypto.randomUUID(), command }), isPending, error };
}
