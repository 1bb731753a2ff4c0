'use client';
import { useCallback } from 'react';
import { useSearchParams } from 'next/navigation';

export type UrlChanges = Record<string, string | number | boolean | null | undefined>;

/**
 * The view's state, read from the URL and written to it. `set` drops what is null, undefined or '' and keeps the
 * rest of the URL; `push` makes a step that the browser's Back undoes.
 */
export function useUrlState() {
  const params = useSearchParams();
  const set = useCallback((changes: UrlChanges, how: 'replace' | 'push' = 'replace') => {
    // The address bar, not the hook's value: two changes within a frame must both count.
    const url = withChanges(window.location.pathname, window.location.search, changes);
    if (how === 'push') window.history.pushState(null, '', url);
    else window.history.replaceState(null, '', url);
  }, []);
  /** Keeps empty text as such: a box that was emptied is not a box that was never touched. Null drops. */
  const setTexts = useCallback((changes: Record<string, string | null>) => {
    const next = new URLSearchParams(window.location.search);
    for (const [name, text] of Object.entries(changes)) {
      if (text === null) next.delete(name);
      else next.set(name, text);
    }
    window.history.replaceState(null, '', `${window.location.pathname}?${next.toString()}`);
  }, []);
  return { params, set, setTexts };
}

/** The parameters as the address bar has them: what was set by the key before this one is in them, drawn yet or not. */
export function writtenParams(): URLSearchParams {
  return new URLSearchParams(window.location.search);
}

/** A path with its search changed, parameters in the order in which they were first set. */
export function withChanges(path: string, search: string, changes: UrlChanges): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  const text = next.toString();
  return text ? `${path}?${text}` : path;
}

/** A parameter that is a whole number of 0 or more; null where it is absent or something else. */
export function countParam(params: { get(name: string): string | null }, name: string): number | null {
  const text = params.get(name);
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
