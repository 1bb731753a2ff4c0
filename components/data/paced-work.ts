'use client';
import { useEffect, useState } from 'react';

/** Longest that work holds the page before input and painting have their turn. */
const SLICE_MS = 30;

/**
 * The result of work that yields, done in slices so that the page stays quick. Null until the first is there; the last
 * result stays while the next is worked out. `make` must be the same function as long as the work is the same.
 */
export function usePacedWork<Result>(make: () => Generator<undefined, Result>): Result | null {
  const [result, setResult] = useState<Result | null>(null);
  useEffect(() => {
    const work = make();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const goOn = () => {
      const until = performance.now() + SLICE_MS;
      do {
        const step = work.next();
        if (step.done) {
          setResult(step.value);
          return;
        }
      } while (performance.now() < until);
      timer = setTimeout(goOn);
    };
    goOn();
    return () => {
      if (timer !== null) clearTimeout(timer);
    };
  }, [make]);
  return result;
}
