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

/** Locations through which a worker can reach a checkpoint, each as the JSON list it must contain. */
export function reachableLocations(workerId: string): string[] {
  return [JSON.stringify([{ kind: 'blob' }]), JSON.stringify([{ kind: 'worker', workerId }])];
}

export interface ResumeCheckpoint {
  step: number;
  files: CheckpointFile[];
  locations: CheckpointLocation[];
}

/** What `workerId` is told of it: its own disk before a download. Null where it can reach neither. */
export function resumePoint(checkpoint: ResumeCheckpoint, workerId: string): ResumePoint | null {
  const { step, files, locations } = checkpoint;
  const own = locations.find((location) => location.kind === 'worker' && location.workerId === workerId);
  if (own?.kind === 'worker') return { step, files, location: { kind: 'worker', path: own.path } };
  const uploaded = locations.some((location) => location.kind === 'blob');
  return uploaded ? { step, files, location: { kind: 'blob' } } : null;
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
