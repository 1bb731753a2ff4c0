'use client';
import { useEffect, useState } from 'react';

/** A value once it has not changed for so many ms: what is being typed is asked for when the typing pauses. */
export function useSettled<T extends string | undefined>(value: T, forMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return;
    const timer = setTimeout(() => setSettled(value), forMs);
    return () => clearTimeout(timer);
  }, [value, settled, forMs]);
  return settled;
}
