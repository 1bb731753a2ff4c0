'use client';
import { useEffect, useState } from 'react';
import { formatCount } from '@/contract/format';

export interface Growing {
  /** How many of all are shown. */
  shown: number;
  /** Shows the rest, as many a frame as the first time, so that the page answers meanwhile. */
  showAll: () => void;
}

/** Shows the first `atOnce` of `total`, and the rest when it is asked for. `of` names what they are of: another begins anew. */
export function useGrowing(total: number, atOnce: number, of: unknown): Growing {
  const [state, setState] = useState({ of, wanted: atOnce, shown: atOnce });
  const current = state.of === of ? state : { of, wanted: atOnce, shown: atOnce };
  const grows = current.shown < Math.min(current.wanted, total);
  useEffect(() => {
    if (!grows) return;
    const frame = requestAnimationFrame(() => setState({ ...current, shown: current.shown + atOnce }));
    return () => cancelAnimationFrame(frame);
  });
  return {
    shown: Math.min(current.shown, total),
    showAll: () => setState({ ...current, wanted: total }),
  };
}

/** `Show all 48,113 characters`, while some are hidden. */
export function ShowAll({ growing, total, unit }: { growing: Growing; total: number; unit: string }) {
  return growing.shown >= total ? null : (
    <button type="button" onClick={growing.showAll} className="mt-1 block text-sm text-link">
      {formatCount(growing.shown)} of {formatCount(total)} {unit} shown. Show all
    </button>
  );
}
