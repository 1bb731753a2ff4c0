import type { RunDetail, RunRow, SeriesBucket, SeriesCurve, SeriesSum } from '@/contract/api';
import { fromWireNumber, type PublishedEvent, type WireNumber } from '@/contract/run-events';
import { applyRunEvent } from '@/contract/run-view';

/** Whether `events` continue what is known up to `position` without a hole; those already known do no harm. */
export function continues(position: number, events: readonly PublishedEvent[]): boolean {
  let known = position;
  for (const event of events) {
    if (event.position > known + 1) return false;
    known = Math.max(known, event.position);
  }
  return true;
}

/** A run's answer with later events folded in, by the fold that the server stores snapshots with. */
export function foldRunDetail(detail: RunDetail, events: readonly PublishedEvent[]): RunDetail {
  const view = events.reduce(applyRunEvent, detail.view);
  if (view === detail.view) return detail;
  const reward = view.latest['reward/mean'];
  const row: RunRow = {
    ...detail.run,
    status: view.status,
    reason: view.reason,
    attempt: view.attempt,
    step: view.step,
    steps: view.steps ?? detail.run.steps,
    startedAt: view.startedAt,
    finishedAt: view.finishedAt,
    rewardMean: reward ? finiteOrNull(reward.value) : detail.run.rewardMean,
  };
  return { ...detail, view, run: row };
}

/** Of two answers about a run the one that knows more, since a slow answer may come after newer events. */
export function newerDetail(before: RunDetail | undefined, after: RunDetail): RunDetail {
  if (!before || before.run.id !== after.run.id || before.view.position <= after.view.position) return after;
  const { lastEvaluation, bestEvaluation } = after.run;
  return { ...after, view: before.view, run: { ...before.run, lastEvaluation, bestEvaluation } };
}

function finiteOrNull(value: WireNumber): number | null {
  const number = fromWireNumber(value);
  return Number.isFinite(number) ? number : null;
}

/**
 * Curves with the points of later events appended; null where events are missing in between, or where a new
 * attempt begins and rewrites what is drawn: the curves are then fetched again.
 */
export function appendPoints(
  curves: readonly SeriesCurve[],
  events: readonly PublishedEvent[],
): SeriesCurve[] | null {
  const appended: SeriesCurve[] = [];
  for (const curve of curves) {
    const later = laterEvents(curve.position, events);
    if (!later) return null;
    appended.push(later.reduce(appendEvent, curve));
  }
  return appended;
}

/** Sums with the points of later events added; null where they have to be fetched again, as curves have to be. */
export function addPoints(sums: readonly SeriesSum[], events: readonly PublishedEvent[]): SeriesSum[] | null {
  const added: SeriesSum[] = [];
  for (const sum of sums) {
    const later = laterEvents(sum.position, events);
    if (!later || later.some((event) => overwrites(event, sum))) return null;
    added.push(later.reduce(addEvent, sum));
  }
  return added;
}

function addEvent(sum: SeriesSum, { event, position }: PublishedEvent): SeriesSum {
  const points = event.kind === 'points:measured' ? event.points.filter(({ name }) => name === sum.name) : [];
  if (event.kind !== 'points:measured' || points.length === 0) return { ...sum, position };
  const values = points.map(({ value }) => fromWireNumber(value)).filter(Number.isFinite);
  return {
    ...sum,
    sum: values.reduce((total, value) => total + value, sum.sum),
    count: sum.count + values.length,
    lastStep: Math.max(sum.lastStep ?? 0, event.step),
    position,
  };
}

/** A resumed attempt repeats a step: which points that overwrites is the server's to say. */
function overwrites({ event, attempt }: PublishedEvent, { name, lastStep }: SeriesSum): boolean {
  return (
    attempt > 1 &&
    event.kind === 'points:measured' &&
    lastStep !== null &&
    event.step <= lastStep &&
    event.points.some((point) => point.name === name)
  );
}

/** The events after a position; null where some are missing in between, or a new attempt begins. */
function laterEvents(position: number, events: readonly PublishedEvent[]): PublishedEvent[] | null {
  const later = events.filter((event) => event.position > position);
  return continues(position, later) && !later.some(startsAttempt) ? later : null;
}

function startsAttempt({ event, attempt }: PublishedEvent): boolean {
  return event.kind === 'status:changed' && event.status === 'starting' && attempt > 1;
}

function appendEvent(curve: SeriesCurve, published: PublishedEvent): SeriesCurve {
  const { event, position } = published;
  if (event.kind !== 'points:measured') return { ...curve, position };
  const points = event.points.filter((point) => point.name === curve.name);
  return points.reduce<SeriesCurve>(
    (before, point) => withPoint(before, published.attempt, event.step, point.value),
    {
      ...curve,
      position,
    },
  );
}

function withPoint(curve: SeriesCurve, attempt: number, step: number, wire: WireNumber): SeriesCurve {
  const value = finiteOrNull(wire);
  const point: SeriesBucket = {
    fromStep: step,
    toStep: step,
    min: value,
    max: value,
    first: value,
    last: value,
    count: value === null ? 0 : 1,
    nonFinite: value === null ? 1 : 0,
  };
  const { buckets } = curve;
  const holding = buckets.findIndex((bucket) => bucket.fromStep <= step && step <= bucket.toStep);
  const held = buckets[holding];
  if (!held) {
    const after = buckets.findIndex((bucket) => bucket.fromStep > step);
    return { ...curve, buckets: after === -1 ? [...buckets, point] : buckets.toSpliced(after, 0, point) };
  }
  const isOnePoint = held.fromStep === held.toStep && held.count + held.nonFinite === 1;
  if (attempt === 1 || !isOnePoint) return { ...curve, buckets: buckets.with(holding, merge(held, point)) };
  // A later attempt repeats the step. A bucket does not say whose its point was; the attempt before is the nearest.
  const old = { attempt: attempt - 1, step, value: held.last ?? ('NaN' as const) };
  return { ...curve, buckets: buckets.with(holding, point), overwritten: [...curve.overwritten, old] };
}

function merge(bucket: SeriesBucket, point: SeriesBucket): SeriesBucket {
  const values = [bucket.min, bucket.max, point.last].filter((value) => value !== null);
  return {
    ...bucket,
    min: values.length ? Math.min(...values) : null,
    max: values.length ? Math.max(...values) : null,
    first: bucket.first ?? point.first,
    last: point.last ?? bucket.last,
    count: bucket.count + point.count,
    nonFinite: bucket.nonFinite + point.nonFinite,
  };
}

/** Events of these kinds change lists that are fetched whole. */
export function listsChanged(events: readonly PublishedEvent[]): {
  evaluations: boolean;
  checkpoints: boolean;
  worker: boolean;
} {
  const kinds = new Set(events.map(({ event }) => event.kind));
  return {
    evaluations: kinds.has('evaluation:finished'),
    checkpoints: kinds.has('checkpoint:saved') || kinds.has('checkpoint:completed'),
    worker: kinds.has('status:changed'),
  };
}
