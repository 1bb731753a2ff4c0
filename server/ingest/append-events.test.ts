import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import { applyRunEvent, emptyRunView } from '@/contract/run-view';
import { listCheckpoints } from '../checkpoints/queries';
import { listEvaluations } from '../evaluations/queries';
import { requestStop } from '../runs/commands';
import { eventsAfter, requireRun } from '../runs/queries';
import {
  claimSample,
  evaluation,
  launchSample,
  points,
  sampleCheckpoint,
  sampleTrajectory,
  sampleTurn,
  status,
  trajectory,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { requireTrajectory } from '../trajectories/queries';

let database: TestDatabase;
let run: SampleAttempt;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(`TRUNCATE "Run", "Point" CASCADE`);
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
});

async function count(table: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "${table}"`,
  );
  return rows[0]?.count ?? -1;
}

describe('a batch', () => {
  it('is stored with positions that follow those before, acknowledged and published', async () => {
    const { answer, published } = await run.say(status('running'), points(1, { 'reward/mean': 0.25 }));
    expect(answer).toEqual({ acknowledgedSeq: 1, standing: 'current' });
    // The claim itself is position 1.
    expect(published.map(({ position, seq, attempt }) => ({ position, seq, attempt }))).toEqual([
      { position: 2, seq: 0, attempt: 1 },
      { position: 3, seq: 1, attempt: 1 },
    ]);
    const { run: row } = await requireRun(database, run.runId);
    expect(row).toMatchObject({
      status: 'running',
      attempt: 1,
      rewardMean: 0.25,
      workerName: 'name of worker-a',
    });
  });

  it('sent twice, or overlapping one before, is stored once', async () => {
    const events = run.stamp(status('running'), points(1, { 'reward/mean': 1 }), trajectory());
    await run.append(events);
    const again = await run.append([...events, ...run.stamp(evaluation())]);
    expect(again.answer.acknowledgedSeq).toBe(3);
    expect(again.published.map((event) => event.seq)).toEqual([3]);
    const third = await run.append(events);
    expect(third).toMatchObject({ answer: { acknowledgedSeq: 3 }, published: [] });
    expect([await count('RunEvent'), await count('Point'), await count('Trajectory')]).toEqual([5, 1, 1]);
  });

  it('that would leave a gap is refused with the seq that was expected', async () => {
    const [first, , third] = run.stamp(status('running'), points(1, { 'a/b': 1 }), points(2, { 'a/b': 2 }));
    if (!first || !third) throw new Error('three events were stamped');
    await run.append([first]);
    await expect(run.append([third])).rejects.toThrow('expected seq 1, got 2');
    await expect(run.append([first, third])).rejects.toThrow('expected seq 1 after 0, got 2');
  });

  it('of another worker, attempt or run is refused', async () => {
    const events = run.stamp(status('running'));
    const batch = { runId: run.runId, attempt: 1, events };
    const { appendEvents } = await import('./append-events');
    await expect(appendEvents(database, 'worker-b', batch)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(appendEvents(database, 'worker-a', { ...batch, attempt: 2 })).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'events.0.attempt', message: 'expected 2' }],
    });
    await expect(
      appendEvents(database, 'worker-a', { runId: 'r-9999', attempt: 1, events: [] }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('folds to the same view on the server and in a browser', async () => {
    await run.say(status('running'), points(1, { 'reward/mean': 0.1 }), trajectory(), evaluation());
    await run.say(
      { kind: 'log:written', level: 'info', message: 'hello' },
      points(2, { 'reward/mean': 'NaN' }),
    );
    await run.say({ kind: 'step:finished', step: 2, steps: 2 }, status('finished'));
    const { view } = await requireRun(database, run.runId);
    const { events } = await eventsAfter(database, run.runId, 0);
    const launched = { ...emptyRunView(run.runId), steps: 2 };
    expect(events.reduce(applyRunEvent, launched)).toEqual(view);
    expect(view).toMatchObject({ position: 9, status: 'finished', step: 2, trajectories: 1 });
  });

  it('from many senders at once gives each run its positions without gap or double', async () => {
    await launchSample(database);
    const other = await claimSample(database, 'worker-b');
    const batches = [run, other].flatMap((attempt) =>
      Array.from(
        { length: 10 },
        (_, step) => () => attempt.say(points(step, { 'a/b': step }), trajectory({ step })),
      ),
    );
    // Batches of one attempt come in order; those of the two runs, and repeats of them, cross.
    const sent = [run, other].map(async (_, index) => {
      for (const batch of batches.slice(index * 10, index * 10 + 10)) await batch();
    });
    await Promise.all(sent);
    for (const { runId } of [run, other]) {
      const { events } = await eventsAfter(database, runId, 0);
      expect(events.map((event) => event.position)).toEqual(
        Array.from({ length: 21 }, (_, index) => index + 1),
      );
    }
  });

  it('sent by several connections at once is stored once, in order', async () => {
    const events = run.stamp(...Array.from({ length: 20 }, (_, step) => points(step, { 'a/b': step })));
    const answers = await Promise.all(Array.from({ length: 8 }, () => run.append(events)));
    expect(answers.filter(({ published }) => published.length > 0)).toHaveLength(1);
    const stored = await eventsAfter(database, run.runId, 1);
    expect(stored.events.map((event) => event.seq)).toEqual(events.map((event) => event.seq));
    expect(await count('Point')).toBe(20);
  });
});

describe('what is stored', () => {
  it('gives a trajectory back as it came, turns and token arrays included', async () => {
    const sent = sampleTrajectory({
      error: { stage: 'sampling', message: 'no reply' },
      stopReason: 'error',
      turns: [sampleTurn(0, { availableActions: [], tokens: null }), sampleTurn(1)],
    });
    const { published } = await run.say({ kind: 'trajectory:finished', trajectory: sent });
    const event = published[0]?.event;
    if (event?.kind !== 'trajectory:finished') throw new Error('a trajectory was published');
    const detail = await requireTrajectory(database, event.trajectory.id);
    expect(detail.trajectory).toEqual(sent);
    const {
      turns: _turns,
      strategy: _strategy,
      finalPicture: _picture,
      finalObservation: _observation,
      ...summary
    } = sent;
    expect(event.trajectory).toEqual({ ...summary, id: detail.id });
  });

  it('says that prefilled and trained tokens are not known where a worker does not count them', async () => {
    const { prefilledTokens: _prefilled, trainedTokens: _trained, ...uncounted } = sampleTrajectory();
    const { published } = await run.say({ kind: 'trajectory:finished', ...{ trajectory: uncounted } });
    const event = published[0]?.event;
    if (event?.kind !== 'trajectory:finished') throw new Error('a trajectory was published');
    const { trajectory: stored } = await requireTrajectory(database, event.trajectory.id);
    expect(stored).toMatchObject({ prefilledTokens: null, trainedTokens: null, promptTokens: 40 });
  });

  it('holds NaN and infinities as such', async () => {
    await run.say(points(3, { 'a/nan': 'NaN', 'a/up': 'Infinity', 'a/down': '-Infinity', 'a/fine': 1e-300 }));
    const { rows } = await database.pool.query<{ value: number }>(
      `SELECT "value" FROM "Point" ORDER BY "ordinal"`,
    );
    expect(rows.map((row) => row.value)).toEqual([NaN, Infinity, -Infinity, 1e-300]);
  });

  it('marks NUL and lone surrogates in any text and keeps all other characters', async () => {
    const odd = 'a\0b \ud800 c \udc00 \u001b[31mred\u001b[0m \u202e 👩‍🚀 \\u0000';
    const kept = 'a\u2400b \ufffd c \ufffd \u001b[31mred\u001b[0m \u202e 👩‍🚀 \\u0000';
    const { published } = await run.say(
      { kind: 'log:written', level: 'error', message: odd },
      trajectory({
        goal: odd,
        flags: [odd],
        turns: [sampleTurn(0, { reply: odd, availableActions: [odd] })],
      }),
      { kind: 'future:kind', [odd]: odd } as { kind: string },
    );
    expect(published[0]?.event).toEqual({ kind: 'log:written', level: 'error', message: kept });
    expect(published[2]?.event).toEqual({ kind: 'future:kind', [kept]: kept });
    const { rows } = await database.pool.query(
      `SELECT "goal", "flags", "reply", "availableActions" FROM "Trajectory" JOIN "Turn" ON "trajectoryId" = "id"`,
    );
    expect(rows).toEqual([{ goal: kept, flags: [kept], reply: kept, availableActions: [kept] }]);
    const { events } = await eventsAfter(database, run.runId, 1);
    expect(events).toEqual(published);
  });

  it('includes kinds of a newer version, as they came and with their positions', async () => {
    const future = { kind: 'weights:pruned', layers: [1, 2], note: { deep: true } };
    await run.say(future, points(1, { 'a/b': 1 }));
    const { events } = await eventsAfter(database, run.runId, 1);
    expect(events.map(({ position, event }) => [position, event.kind])).toEqual([
      [2, 'weights:pruned'],
      [3, 'points:measured'],
    ]);
    expect(events[0]?.event).toEqual(future);
  });

  it('shows a checkpoint complete once a location has it whole', async () => {
    await run.say({
      kind: 'checkpoint:saved',
      checkpoint: sampleCheckpoint(1),
      location: { kind: 'worker', workerId: 'worker-a', path: '/c/1' },
    });
    expect(await listCheckpoints(database, run.runId)).toMatchObject([{ step: 1, complete: false }]);
    await run.say({ kind: 'checkpoint:completed', step: 1, location: { kind: 'blob' } });
    expect(await listCheckpoints(database, run.runId)).toMatchObject([
      {
        attempt: 1,
        complete: true,
        ...sampleCheckpoint(1),
        locations: [{ kind: 'worker', workerId: 'worker-a', path: '/c/1' }, { kind: 'blob' }],
      },
    ]);
  });
});

describe('a malformed event', () => {
  it.each([
    ['a wrong type', { kind: 'step:finished', step: 'one', steps: 2 }, 'event.step'],
    ['a missing field', { kind: 'log:written', level: 'info' }, 'event.message'],
    [
      'a metric with a line break in its name',
      { kind: 'points:measured', step: 1, points: [{ name: 'a/\nb', value: 1 }] },
      'event.points.0.name',
    ],
    [
      'a step no column holds',
      { kind: 'points:measured', step: 3e9, points: [{ name: 'a/b', value: 1 }] },
      'event.step',
    ],
    [
      'two turns of one index',
      trajectory({ turns: [sampleTurn(0), sampleTurn(0)] }),
      'event.trajectory.turns.1.index',
    ],
    ['a status of the server', { ...status('running'), status: 'lost' }, 'event.status'],
  ])('with %s sinks its batch whole and is named by seq and field', async (_, event, path) => {
    const refused = run.say(points(1, { 'a/b': 1 }), trajectory(), event);
    const error = await refused.catch((thrown: unknown) => thrown);
    if (!(error instanceof AppError)) throw new Error('the batch was accepted');
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain('event seq 2');
    expect(error.issues[0]?.path).toBe(path);
    expect([await count('RunEvent'), await count('Point'), await count('Trajectory')]).toEqual([1, 0, 0]);
  });

  it('that nests without end is refused', async () => {
    const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown;
    const refused = run.say({ kind: 'future:kind', deep } as { kind: string });
    await expect(refused).rejects.toThrow('nested deeper than 100 levels');
  });

  it('that completes a checkpoint nobody saved is refused', async () => {
    const refused = run.say({ kind: 'checkpoint:completed', step: 7, location: { kind: 'blob' } });
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('control', () => {
  it('along the table of changes takes effect', async () => {
    await run.say(status('running'), status('paused', 'disk full'), status('running'));
    const failed = await run.say(status('failed', 'engine: out of memory'));
    expect(failed.answer.standing).toBe('current');
    const { run: row } = await requireRun(database, run.runId);
    expect(row).toMatchObject({ status: 'failed', reason: 'engine: out of memory', finishedAt: 3000 });
  });

  it('that crosses a stop is not applied and is logged', async () => {
    await requestStop(database, run.runId);
    const { answer, published } = await run.say(status('running'));
    expect(answer).toEqual({ acknowledgedSeq: 0, standing: 'current' });
    expect(published[0]?.event).toMatchObject({ kind: 'log:written', level: 'warn' });
    expect((await requireRun(database, run.runId)).run.status).toBe('stopping');
    await run.say(status('stopped'));
    expect((await requireRun(database, run.runId)).run.status).toBe('stopped');
  });

  it('after the end changes nothing; data is stored all the same', async () => {
    await run.say(status('running'), status('finished'));
    await run.say(status('running'), evaluation(), points(5, { 'a/b': 1 }));
    expect((await requireRun(database, run.runId)).run.status).toBe('finished');
    expect(await listEvaluations(database, run.runId)).toHaveLength(1);
    expect(await count('Point')).toBe(1);
  });
});
