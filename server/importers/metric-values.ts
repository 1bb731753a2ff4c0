import { MetricName, toWireNumber, type WireNumber } from '@/contract/run-events';
import type { ImportedEvent } from './importer';

/** Points of one event. */
const MAX_POINTS = 1000;

const NON_FINITE: Record<string, number> = {
  nan: NaN,
  inf: Infinity,
  infinity: Infinity,
  '+inf': Infinity,
  '-inf': -Infinity,
  '-infinity': -Infinity,
};

/** A number of numpy 2 as Python prints it within a dictionary or a list. */
const NUMPY = /^np\.(?:float|int|uint)\d+\((.*)\)$/;

/** A number as logs write it, with every spelling of NaN and the infinities; null for anything else. */
export function metricValue(text: string): WireNumber | null {
  const written = text.trim().toLowerCase();
  const plain = NUMPY.exec(written)?.[1] ?? written;
  if (plain === '') return null;
  const named = NON_FINITE[plain];
  if (named !== undefined) return toWireNumber(named);
  const value = Number(plain);
  return Number.isFinite(value) && !/^[+-]?0[xob]/.test(plain) ? value : null;
}

/** A JSON value as a metric; true and false count as 1 and 0. Null where it is no number. */
export function jsonMetricValue(value: unknown): WireNumber | null {
  if (typeof value === 'number') return toWireNumber(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' && value.toLowerCase() in NON_FINITE ? metricValue(value) : null;
}

/** Names that are remembered. */
const MAX_NAMES = 50_000;
const metricNames = new Map<string, boolean>();

/** Whether a series may have the name. Remembered, since a log says each of its names at every step. */
export function isMetricName(name: string): boolean {
  const known = metricNames.get(name);
  if (known !== undefined) return known;
  if (metricNames.size >= MAX_NAMES) metricNames.clear();
  const isValid = MetricName.safeParse(name).success;
  metricNames.set(name, isValid);
  return isValid;
}

/** The points of one step as events of bounded size. */
export function* pointEvents(
  place: Pick<ImportedEvent, 'file' | 'line'> & { at?: number | null },
  step: number,
  points: readonly { name: string; value: WireNumber }[],
): Generator<ImportedEvent> {
  for (let start = 0; start < points.length; start += MAX_POINTS)
    yield {
      file: place.file,
      line: place.line,
      at: place.at ?? null,
      event: { kind: 'points:measured', step, points: points.slice(start, start + MAX_POINTS) },
    };
}
