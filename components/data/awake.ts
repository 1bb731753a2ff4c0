'use client';
import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the reader's browser draws: false while the server does, which knows neither their zone nor their storage. */
export function useAwake(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
