import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SeriesBucket } from '@/contract/api';
import { fromWireNumber } from '@/contract/run-events';
import { claimSample, launchSample, points, TEST_LEASE, type SampleAttempt } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { sweepLeases } from '../queue/sweep';
import { listSeries, readSeries, sumSeries } from './series';

interface Measured {
  attempt: number;
  step: number;
  value: number;
}

/** Bucket maths in plain sight: newest attempt at a step, then one pass a bucket. */
function naiveBuckets(all: readonly Measured[], from: number, to: number, buckets: number): SeriesBucket[] {
  const width = Math.ceil((to - from + 1) / buckets);
  const newest = new Map<number, number>();
  for (const { step, attempt } of all) newest.set(step, Math.max(attempt, newest.get(step) ?? 0));
  const current = all.filter((point) => point.attempt === newest.get(point.step));
  const result: SeriesBucket[] = [];
  for (let start = from; start <= to; start += width) {
    const end = Math.min(to, start + width - 1);
    const inside = current
      .map((point, order) => ({ ...point, order }))
      .filter((point) => point.step >= start && point.step <= end)
      .sort((one, other) => one.step - other.step || one.order - other.order);
    if (inside.length === 0) continue;
    const finite = inside.map((point) => point.value).filter(Number.isFinite);
    const some = finite.length > 0;
    result.push({
      fromStep: start,
      toStep: end,
      min: some ? Math.min(...finite) : null,
      max: some ? Math.max(...finite) : null,
      first: finite[0] ?? null,
      last: finite[finite.length - 1] ?? null,
      count: finite.length,
      nonFinite: inside.length - finite.length,
    });
  }
  return result;
}

/** A curve with repeats, holes, NaN and infinities; the same every time. */
function curve(attempt: number, from: number, to: number): Measured[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
    .filter((step) => step % 7 !== 3)
    .flatMap((step) => {
      const wave = Math.sin(step * 12.9898 * attempt) * 100;
      const value = step % 11 === 0 ? NaN : step % 13 === 0 ? Infinity : step % 17 === 0 ? -Infinity : wave;
      const once = { attempt, step, value };
      return step % 5 === 0 ? [once, { ...once, value: wave / 2 }] : [once];
    });
}

function wire(value: number) {
  return Number.isFinite(value) ? value : (String(value) as 'NaN' | 'Infinity' | '-Infinity');
}

describe('series of a run with two attempts', () => {
  let database: TestDatabase;
  let run: SampleAttempt;
  const first = curve(1, 1, 200);
  const second = curve(2, 121, 150);
  const all = [...first, ...second];

  beforeAll(async () => {
    database = await openTestDatabase();
    await launchSample(database);
    const say = (attempt: SampleAttempt, measured: readonly Measured[]) =>
      attempt.say(
        ...measured.map(({ step, value }) => points(step, { 'a/curve': wire(value), 'a/step': step })),
      );
    const before = await claimSample(database, 'worker-a');
    await say(before, first);
    await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = now() - interval '1 hour'`);
    await sweepLeases(database, TEST_LEASE);
    await sweepLeases(database, TEST_LEASE);
    run = await claimSample(database, 'worker-a');
    await say(run, second);
  });
  afterAll(() => database.close());

  it.each([
    [1000, undefined, undefined],
    [200, undefined, undefined],
    [30, undefined, undefined],
    [7, 40, 170],
    [1, undefined, undefined],
    [50, 130, 1000],
  ])('in %i buckets from %s to %s equal a plain computation', async (buckets, fromStep, toStep) => {
    const [read] = await readSeries(database, run.runId, { name: ['a/curve'], buckets, fromStep, toStep });
    const expected = naiveBuckets(all, Math.max(1, fromStep ?? 1), Math.min(200, toStep ?? 200), buckets);
    expect(read?.buckets).toEqual(expected);
  });

  it('gives what a newer attempt overwrote apart, point by point where buckets are fine enough', async () => {
    const [read] = await readSeries(database, run.runId, { name: ['a/step'], buckets: 1000 });
    const overwritten = new Set(second.map((point) => point.step));
    const expected = first.filter((point) => overwritten.has(point.step)).map((point) => point.step);
    expect(read?.overwritten).toEqual(
      [...new Set(expected)].map((step) => ({ attempt: 1, step, value: step })),
    );
  });

  it('bounds what was overwritten by the buckets too', async () => {
    const [read] = await readSeries(database, run.runId, { name: ['a/curve'], buckets: 20 });
    expect(read?.overwritten.length).toBeLessThanOrEqual(20);
    expect(read?.overwritten.every(({ value }) => typeof fromWireNumber(value) === 'number')).toBe(true);
  });

  it('has the position of the newest event, and no buckets for a name without points', async () => {
    const read = await readSeries(database, run.runId, { name: ['no/such', 'a/step'], buckets: 10 });
    const { rows } = await database.pool.query<{ position: number }>(`SELECT "position" FROM "Run"`);
    expect(read.map(({ name, position }) => ({ name, position }))).toEqual([
      { name: 'no/such', position: rows[0]?.position },
      { name: 'a/step', position: rows[0]?.position },
    ]);
    expect(read[0]?.buckets).toEqual([]);
    expect(await readSeries(database, 'r-9999', { name: ['a/step'], buckets: 10 })).toEqual([
      { name: 'a/step', buckets: [], overwritten: [], position: 0 },
    ]);
  });

  it('add up over both attempts, with the part that the newer one has overwritten', async () => {
    const sums = await sumSeries(database, run.runId, ['a/curve', 'a/step', 'no/such']);
    const repeated = new Set(second.map(({ step }) => step));
    const total = (points: readonly Measured[], of: (point: Measured) => number) =>
      points.map(of).reduce((sum, value) => (Number.isFinite(value) ? sum + value : sum), 0);
    const overwritten = first.filter(({ step }) => repeated.has(step));
    const [curveSum, stepSum, none] = sums;
    expect(curveSum?.sum).toBeCloseTo(
      total(all, ({ value }) => value),
      6,
    );
    expect(curveSum?.overwritten).toBeCloseTo(
      total(overwritten, ({ value }) => value),
      6,
    );
    expect(curveSum?.count).toBe(all.filter(({ value }) => Number.isFinite(value)).length);
    expect(stepSum).toMatchObject({
      sum: total(all, ({ step }) => step),
      overwritten: total(overwritten, ({ step }) => step),
      count: all.length,
      lastStep: 200,
    });
    expect(stepSum?.overwritten).toBeGreaterThan(0);
    expect(none).toMatchObject({ name: 'no/such', sum: 0, overwritten: 0, count: 0, lastStep: null });
    expect(none?.position).toBe(stepSum?.position);
  });

  it('are listed with their numbers of points', async () => {
    expect(await listSeries(database, run.runId)).toEqual([
      { name: 'a/curve', count: all.length },
      { name: 'a/step', count: all.length },
    ]);
  });
});
