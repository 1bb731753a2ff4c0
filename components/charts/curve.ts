import type { SeriesBucket, SeriesCurve } from '@/contract/api';
import { fromWireNumber } from '@/contract/run-events';

/** Values by step, ready to be drawn; steps ascend and `null` breaks the line. */
export interface Line {
  steps: number[];
  values: (number | null)[];
}

/** The newest attempt's line: the last finite value of each bucket. A bucket without one is a gap. */
export function toLine(buckets: readonly SeriesBucket[]): Line {
  return {
    steps: buckets.map((bucket) => bucket.toStep),
    values: buckets.map((bucket) => bucket.last),
  };
}

/** Lowest and highest value of each bucket where some bucket holds more than one point; else null. */
export function toBand(
  buckets: readonly SeriesBucket[],
): { steps: number[]; lows: number[]; highs: number[] } | null {
  const drawn = buckets.flatMap((bucket) =>
    bucket.min === null || bucket.max === null
      ? []
      : [{ step: bucket.toStep, low: bucket.min, high: bucket.max }],
  );
  if (!buckets.some((bucket) => bucket.count > 1)) return null;
  return {
    steps: drawn.map((each) => each.step),
    lows: drawn.map((each) => each.low),
    highs: drawn.map((each) => each.high),
  };
}

/** Where values were NaN or infinite, with how many. */
export function toNonFinite(buckets: readonly SeriesBucket[]): { step: number; count: number }[] {
  return buckets
    .filter((bucket) => bucket.nonFinite > 0)
    .map((bucket) => ({ step: bucket.toStep, count: bucket.nonFinite }));
}

/** One line for each older attempt's points that a newer attempt has overwritten. */
export function toOverwritten(curve: SeriesCurve): { attempt: number; line: Line }[] {
  const attempts = [...new Set(curve.overwritten.map((point) => point.attempt))].sort((a, b) => a - b);
  return attempts.map((attempt) => {
    const points = curve.overwritten
      .filter((point) => point.attempt === attempt)
      .sort((a, b) => a.step - b.step);
    return {
      attempt,
      line: {
        steps: points.map((point) => point.step),
        values: points.map((point) => {
          const value = fromWireNumber(point.value);
          return Number.isFinite(value) ? value : null;
        }),
      },
    };
  });
}

/** Value at a step, or at the newest step before it; null where the line has none yet. */
export function valueAt(line: Line, step: number): { step: number; value: number } | null {
  for (let index = line.steps.length - 1; index >= 0; index--) {
    const at = line.steps[index];
    const value = line.values[index];
    if (at !== undefined && at <= step && value !== null && value !== undefined) return { step: at, value };
  }
  return null;
}

/**
 * Lines over one ascending axis of steps, as uPlot wants them: `[steps, line 1, line 2, ...]`. `undefined` where
 * a line has no point at a step (drawn through), `null` where its value is missing (a gap).
 */
export function alignLines(lines: readonly Line[]): [number[], ...(number | null | undefined)[][]] {
  const steps = [...new Set(lines.flatMap((line) => line.steps))].sort((a, b) => a - b);
  const columns = lines.map((line) => {
    const byStep = new Map(line.steps.map((step, index) => [step, line.values[index]]));
    return steps.map((step) => byStep.get(step));
  });
  return [steps, ...columns];
}

/** Whether no more than one value is there: a line through it would draw nothing. */
export function isSinglePoint(values: Iterable<number | null | undefined>): boolean {
  let count = 0;
  for (const value of values) if (value !== null && value !== undefined && ++count > 1) return false;
  return true;
}
