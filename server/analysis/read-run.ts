import { TrajectoryMarks } from '@/contract/failure-cluster';
import type { PublishedPayload, RunEventKind } from '@/contract/run-events';
import { RunFacts } from '@/stats/detectors/run-facts';
import type { Database } from '../database';

/** What the detectors know of a run, and up to which of its events. */
export interface KnownRun {
  facts: RunFacts;
  position: number;
}

/** @param goesOn a new attempt of the run goes on from what is stored */
export function unreadRun(goesOn: boolean): KnownRun {
  return { facts: new RunFacts(goesOn), position: 0 };
}

const READ_KINDS: readonly RunEventKind[] = [
  'points:measured',
  'trajectory:finished',
  'evaluation:finished',
  'judge:tabulated',
  'step:finished',
  'status:changed',
];
const BATCH = 500;

interface StoredEvent {
  position: number;
  attempt: number;
  payload: PublishedPayload;
}

/** Adds the run's events after those known, up to `position`. */
export async function readRun(
  database: Database,
  runId: string,
  known: KnownRun,
  position: number,
): Promise<void> {
  while (known.position < position) {
    const { rows } = await database.pool.query<StoredEvent>(
      `SELECT "position", "attempt", "payload" FROM "RunEvent"
       WHERE "runId" = $1 AND "position" > $2 AND "position" <= $3 AND "kind" = ANY($4)
       ORDER BY "position" LIMIT $5`,
      [runId, known.position, position, READ_KINDS, BATCH],
    );
    const marks = await readMarks(database, rows);
    for (const { attempt, payload } of rows)
      known.facts.add(payload, attempt, (trajectoryId) => marks.get(trajectoryId) ?? null);
    known.position = rows.length < BATCH ? position : (rows.at(-1)?.position ?? position);
  }
}

async function readMarks(
  database: Database,
  events: readonly StoredEvent[],
): Promise<Map<string, TrajectoryMarks>> {
  const ids = events.flatMap(({ payload }) =>
    payload.kind === 'trajectory:finished' ? [payload.trajectory.id] : [],
  );
  if (ids.length === 0) return new Map();
  const { rows } = await database.pool.query<{ id: string; marks: unknown }>(
    `SELECT "id", "marks" FROM "Trajectory" WHERE "id" = ANY($1::bigint[]) AND "marks" IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, marks }) => [id, TrajectoryMarks.parse(marks)]));
}
