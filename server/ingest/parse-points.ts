import { MAX_INTEGER } from '@/contract/bounds';
import type { RunEvent, StampedEvent } from '@/contract/run-events';

type PointsMeasured = Extract<RunEvent, { kind: 'points:measured' }>;

/** Of one event, as in the contract. */
const MAX_POINTS = 1000;
/** Names that are remembered, over all runs. */
const MAX_NAMES = 50_000;
const NON_FINITE: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity']);

const validNames = new Set<string>();

/** Remembers the names of points that the contract's schema has taken as they came. */
export function rememberNames({ points }: PointsMeasured): void {
  if (validNames.size > MAX_NAMES) validNames.clear();
  for (const { name } of points) validNames.add(name);
}

/**
 * The event where it holds points of names that were taken before, else null, which says nothing of it: the schema then does.
 * A wide log has millions of points, and the schema is the dearest part of storing one.
 */
export function plainPoints({ kind, step, points }: StampedEvent['event']): PointsMeasured | null {
  if (kind !== 'points:measured' || !isColumnStep(step) || !Array.isArray(points)) return null;
  if (points.length === 0 || points.length > MAX_POINTS) return null;
  const plain: PointsMeasured['points'] = [];
  // Anything at all may be in a list that a worker sent.
  for (const point of points as unknown[]) {
    if (!isPlainPoint(point)) return null;
    plain.push({ name: point.name, value: point.value });
  }
  return { kind, step, points: plain };
}

function isColumnStep(step: unknown): step is number {
  return typeof step === 'number' && Number.isInteger(step) && step >= 0 && step <= MAX_INTEGER;
}

function isPlainPoint(point: unknown): point is PointsMeasured['points'][number] {
  if (typeof point !== 'object' || point === null || !('name' in point) || !('value' in point)) return false;
  const { name, value } = point;
  if (typeof name !== 'string' || !validNames.has(name)) return false;
  return typeof value === 'number' ? Number.isFinite(value) : NON_FINITE.has(value);
}
