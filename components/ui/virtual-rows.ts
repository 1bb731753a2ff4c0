'use client';
import { useCallback, useEffect, useMemo, useState } from 'react';

/** Rows kept beyond each edge of the window, so that a short scroll finds them drawn. */
const BEYOND = 12;
/** Bars that stick to the window's edges, with some air, in px. */
const TOP_BAR_PX = 56;
const STATUS_LINE_PX = 56;

export interface VirtualRows {
  /** For the element whose first row is row 0. */
  ref: (element: HTMLElement | null) => void;
  /** Rows to draw: from `first`, before `end`. */
  first: number;
  end: number;
  /** Height of the rows above and below those that are drawn, in px. */
  above: number;
  below: number;
  /** Scrolls as little as shows a row. */
  show: (index: number) => void;
}

/** Tops of rows of the given heights, and after the last one the height of all, in px. */
export function rowTops(heights: readonly number[]): number[] {
  const tops = [0];
  for (const height of heights) tops.push((tops[tops.length - 1] ?? 0) + height);
  return tops;
}

/** The row at a height, in px: the last one that begins at or above it. */
export function rowAt(tops: readonly number[], height: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Of a long list within the page those rows that the window shows, and some around them. `heights` are in px. */
export function useVirtualRows(heights: readonly number[]): VirtualRows {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [window_, setWindow] = useState({ from: 0, to: 900 });
  const tops = useMemo(() => rowTops(heights), [heights]);
  useEffect(() => {
    if (!element) return;
    const look = () => {
      const from = -element.getBoundingClientRect().top;
      setWindow({ from, to: from + window.innerHeight });
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [element]);
  // A page as it opens shows what its window does; the rows around that follow.
  const beyond = element === null ? 0 : BEYOND;
  const first = Math.max(0, rowAt(tops, window_.from) - beyond);
  const end = Math.min(heights.length, rowAt(tops, window_.to) + 1 + beyond);
  const show = useCallback(
    (index: number) => {
      if (!element) return;
      const top = element.getBoundingClientRect().top + (tops[index] ?? 0);
      const bottom = top + (heights[index] ?? 0);
      const by =
        top < TOP_BAR_PX ? top - TOP_BAR_PX : Math.max(0, bottom - (window.innerHeight - STATUS_LINE_PX));
      if (by !== 0) window.scrollBy(0, by);
    },
    [element, tops, heights],
  );
  return {
    ref: setElement,
    first,
    end,
    above: tops[first] ?? 0,
    below: (tops[heights.length] ?? 0) - (tops[end] ?? 0),
    show,
  };
}
