'use client';
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { LiveConnection, type LiveState } from './live-connection';

const LiveContext = createContext<LiveConnection | null>(null);
const BEFORE: LiveState = { phase: 'connecting', since: null, lastEventAt: null };

/** Opens the page's one socket and folds what it hears into the query cache. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<LiveConnection | null>(null);
  useEffect(() => {
    const opened = new LiveConnection(client);
    setConnection(opened);
    return () => opened.close();
  }, [client]);
  return <LiveContext value={connection}>{children}</LiveContext>;
}

/** Whether the server is heard, since when, and when it last said something. */
export function useLive(): LiveState {
  const connection = useContext(LiveContext);
  const store = useMemo(
    () => ({
      subscribe: (watcher: () => void) => connection?.subscribe(watcher) ?? (() => undefined),
      read: () => connection?.state ?? BEFORE,
    }),
    [connection],
  );
  return useSyncExternalStore(store.subscribe, store.read, () => BEFORE);
}

/** Keeps a run's cached data current while the component is on screen; null watches nothing. */
export function useWatchedRun(runId: string | null): void {
  const connection = useContext(LiveContext);
  useEffect(() => (runId === null ? undefined : connection?.watchRun(runId)), [connection, runId]);
}

export function useWatchedRuns(): void {
  const connection = useContext(LiveContext);
  useEffect(() => connection?.watchRuns(), [connection]);
}
