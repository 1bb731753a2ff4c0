'use client';
import { useSyncExternalStore } from 'react';

const TICK_MS = 1000;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;
let now = 0;

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of watchers) each();
  }, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };
}

function read(): number {
  if (now === 0 || !timer) now = Date.now();
  return now;
}

/** The time, ms since 1970, to the second: one clock for all ages on a page. Null while the server renders. */
export function useNow(): number | null {
  return useSyncExternalStore<number | null>(subscribe, read, () => null);
}
