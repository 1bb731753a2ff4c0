import type pg from 'pg';
import type { CheckpointFile, CheckpointLocation } from '@/contract/checkpoint';
import type { ResumePoint } from '@/contract/socket';

/**
 * The checkpoint that the next attempt of `run` starts from: the complete one of the newest step and, of those,
 * of the newest attempt. For a lateral join, so that the queue and the screens agree on it.
 */
export const RESUME_CHECKPOINT = `LATERAL (
  SELECT "step", "files", "locations" FROM "Checkpoint"
  WHERE "runId" = run."id" AND "complete"
  ORDER BY "step" DESC, "attempt" DESC LIMIT 1)`;

/** Older checkpoints that a worker is told of, for where the newest turns out damaged. */
const MOST_OLDER = 20;

/** Locations through which a worker can reach a checkpoint, each as the JSON list it must contain. */
export function reachableLocations(workerId: string): string[] {
  return [JSON.stringify([{ kind: 'blob' }]), JSON.stringify([{ kind: 'worker', workerId }])];
}

export interface ResumeCheckpoint {
  step: number;
  files: CheckpointFile[];
  locations: CheckpointLocation[];
}

/**
 * What `workerId` is told of it: the server's copy where there is one, since a worker looks on its own disk anyway
 * and deletes there what is uploaded without a word. Null where it can reach neither.
 */
export function resumePoint(checkpoint: ResumeCheckpoint, workerId: string): ResumePoint | null {
  const { step, files, locations } = checkpoint;
  const uploaded = locations.some((location) => location.kind === 'blob');
  if (uploaded) return { step, files, location: { kind: 'blob' } };
  const own = locations.find((location) => location.kind === 'worker' && location.workerId === workerId);
  return own?.kind === 'worker' ? { step, files, location: { kind: 'worker', path: own.path } } : null;
}

/** The checkpoint the next attempt of a run starts from; null where none is complete. */
export async function findResumeCheckpoint(
  client: pg.PoolClient,
  runId: string,
): Promise<ResumeCheckpoint | null> {
  const { rows } = await client.query<ResumeCheckpoint>(
    `SELECT checkpoint.* FROM "Run" run, ${RESUME_CHECKPOINT} checkpoint WHERE run."id" = $1`,
    [runId],
  );
  return rows[0] ?? null;
}

/** The complete checkpoints before that one, the newest first; of one step, the newer attempt's. */
export async function findOlderCheckpoints(
  client: pg.PoolClient,
  runId: string,
): Promise<ResumeCheckpoint[]> {
  const { rows } = await client.query<ResumeCheckpoint>(
    `SELECT "step", "files", "locations" FROM "Checkpoint" WHERE "runId" = $1 AND "complete"
     ORDER BY "step" DESC, "attempt" DESC OFFSET 1 LIMIT $2`,
    [runId, MOST_OLDER],
  );
  return rows;
}
