import type pg from 'pg';
import { AppError } from '@/contract/errors';
import type { NamedCheckpoint } from '@/contract/socket';
import { resumePoint, type ResumeCheckpoint } from './resume-point';

/**
 * The checkpoints of other runs that the config of a row `run` names under `checkpoints`, in its order, each with the
 * files of the newest complete one; null files where there is none. For a lateral join or an EXISTS.
 */
export const NAMED_CHECKPOINTS = `(
  SELECT named."runId", named."step", checkpoint."files", checkpoint."locations"
  FROM ROWS FROM (jsonb_to_recordset(
    CASE WHEN jsonb_typeof(run."config" -> 'checkpoints') = 'array' THEN run."config" -> 'checkpoints' ELSE '[]' END
  ) AS ("runId" text, "step" int)) WITH ORDINALITY AS named("runId", "step", "ordinal")
  LEFT JOIN LATERAL (
    SELECT "files", "locations" FROM "Checkpoint"
    WHERE "runId" = named."runId" AND "step" = named."step" AND "complete" ORDER BY "attempt" DESC LIMIT 1
  ) checkpoint ON true
  ORDER BY named."ordinal")`;

/** What `workerId`, which the run was offered to, is told of the checkpoints that its config names. */
export async function findNamedCheckpoints(
  client: pg.PoolClient,
  runId: string,
  workerId: string,
): Promise<NamedCheckpoint[]> {
  const { rows } = await client.query<{
    runId: string;
    step: number;
    files: ResumeCheckpoint['files'] | null;
    locations: ResumeCheckpoint['locations'] | null;
  }>(`SELECT named.* FROM "Run" run CROSS JOIN LATERAL ${NAMED_CHECKPOINTS} named WHERE run."id" = $1`, [
    runId,
  ]);
  return rows.map(({ runId: ownRunId, step, files, locations }): NamedCheckpoint => {
    if (!files || !locations) return { runId: ownRunId, step, point: null };
    const point = resumePoint({ step, files, locations }, workerId);
    if (!point)
      throw new AppError(
        'internal',
        `run ${runId} was offered to ${workerId}, which cannot reach the checkpoint of step ${step} of run ${ownRunId}`,
      );
    return { runId: ownRunId, step, point };
  });
}
