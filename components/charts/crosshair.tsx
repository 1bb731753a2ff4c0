'use client';
import { createContext, useContext, useState, useSyncExternalStore, type ReactNode } from 'react';

/** The step under the pointer, shared by all charts of a page; hovering renders only what reads it. */
export class Crosshair {
  private hovered: number | null = null;
  private readonly watchers = new Set<() => void>();

  readonly read = (): number | null => this.hovered;

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  set(step: number | null): void {
    if (step === this.hovered) return;
    this.hovered = step;
    for (const watcher of this.watchers) watcher();
  }
}

const CrosshairContext = createContext<Crosshair | null>(null);

export function CrosshairProvider({ children }: { children: ReactNode }) {
  const [crosshair] = useState(() => new Crosshair());
  return <CrosshairContext value={crosshair}>{children}</CrosshairContext>;
}

export function useCrosshair(): Crosshair {
  const crosshair = useContext(CrosshairContext);
  if (!crosshair) throw new Error('a chart stands outside CrosshairProvider');
  return crosshair;
}

/** The step under the pointer; null while it is over no chart. */
export function useHoveredStep(): number | null {
  const crosshair = useCrosshair();
  return useSyncExternalStore(crosshair.subscribe, crosshair.read, () => null);
}
