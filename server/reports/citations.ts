import type pg from 'pg';
import { TrajectoryId } from '@/contract/action-scores';
import { AppError } from '@/contract/errors';
import { checkpointName } from '@/contract/compare';
import { citationsOf, type Citations, type ReportBlock } from '@/contract/report';
import { unstorableTexts } from '@/contract/storable-text';
import { safeText } from '../ingest/safe-text';

/**
 * Writes down what a report's blocks cite, in place of what they did: from then on it cannot be deleted. Throws `invalid_input`
 * naming what there is not. A checkpoint of a run that stored none, as an import's, counts as its run.
 */
export async function writeCitations(
  client: pg.PoolClient,
  reportId: number,
  blocks: readonly ReportBlock[],
): Promise<void> {
  const cited = citationsOf(blocks);
  const runs = [...new Set([...cited.runs, ...cited.checkpoints.map(({ runId }) => runId)])];
  await requireCited(client, { ...cited, runs });
  await client.query(`DELETE FROM "ReportCitation" WHERE "reportId" = $1`, [reportId]);
  await client.query(`INSERT INTO "ReportCitation" ("reportId", "runId") SELECT $1, unnest($2::text[])`, [
    reportId,
    runs,
  ]);
  await client.query(
    `INSERT INTO "ReportCitation" ("reportId", "checkpointId")
     SELECT $1, checkpoint."id" FROM "Checkpoint" checkpoint
       JOIN unnest($2::text[], $3::int[]) AS cited ("runId", "step")
         ON cited."runId" = checkpoint."runId" AND cited."step" = checkpoint."step"`,
    [reportId, cited.checkpoints.map(({ runId }) => runId), cited.checkpoints.map(({ step }) => step)],
  );
  await client.query(
    `INSERT INTO "ReportCitation" ("reportId", "trajectoryId") SELECT $1, unnest($2::bigint[])`,
    [reportId, cited.trajectories],
  );
}

/** Throws `invalid_input` where a run or trajectory is none; their rows are then held until the transaction ends. */
async function requireCited(client: pg.PoolClient, cited: Citations): Promise<void> {
  const missing = [
    ...(await missingOf(client, 'Run', cited.runs)).map((id) => `run ${safeText(id)}`),
    ...(await missingOf(client, 'Trajectory', cited.trajectories)).map((id) => `trajectory ${safeText(id)}`),
  ];
  if (missing.length === 0) return;
  const ofCheckpoints = cited.checkpoints
    .filter(({ runId }) => missing.includes(`run ${runId}`))
    .map(checkpointName);
  const hint = ofCheckpoints.length > 0 ? ` (checkpoints ${ofCheckpoints.join(', ')})` : '';
  throw new AppError('invalid_input', `the report cites what there is not: ${missing.join(', ')}${hint}`);
}

async function missingOf(
  client: pg.PoolClient,
  table: 'Run' | 'Trajectory',
  ids: readonly string[],
): Promise<string[]> {
  // An id that no row can have is not even asked for; the others are, as their column has them, so that its index is used.
  const [type, askable] =
    table === 'Run'
      ? (['text', ids.filter((id) => unstorableTexts(id).length === 0)] as const)
      : (['bigint', ids.filter((id) => TrajectoryId.safeParse(id).success)] as const);
  if (askable.length === 0) return [...ids];
  const { rows } = await client.query<{ id: string }>(
    `SELECT "id"::text AS "id" FROM "${table}" WHERE "id" = ANY($1::${type}[]) FOR KEY SHARE`,
    [askable],
  );
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}
