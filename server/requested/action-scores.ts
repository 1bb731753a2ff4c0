import { ActionScores, type ActionScoresAnswer, type RequestedRun } from '@/contract/action-scores';
import { isSameCheckpoint, type CheckpointReference } from '@/contract/checkpoint';
import { AppError } from '@/contract/errors';
import { ActionScoresConfig } from '@/contract/recipes/requested-work';
import { isFinalStatus } from '@/contract/run';
import type { Database } from '../database';
import { launchRequested, settingsOfWork, toRequestedRun, type RequestedRow } from './launch-requested';
import { playingCheckpoint, requireOrigin, requireSettings } from './playing-checkpoint';

/** Scores of recorded trajectories under the checkpoints that played them, each under each; throws `not_found`. */
export async function readActionScores(
  database: Database,
  trajectories: readonly string[],
): Promise<ActionScoresAnswer> {
  const sides = await Promise.all(trajectories.map((id) => playingCheckpoint(database, id)));
  const checkpoints = distinct(sides.flatMap(({ checkpoint }) => checkpoint ?? []));
  const { rows } = await database.pool.query<{ scores: unknown }>(
    `SELECT DISTINCT ON ("trajectoryId", "scores" #>> '{checkpoint,runId}', "scores" #>> '{checkpoint,step}') "scores"
     FROM "ActionScores" scored JOIN "Run" run ON run."id" = scored."runId"
     WHERE "trajectoryId" = ANY($1::bigint[])
     ORDER BY "trajectoryId", "scores" #>> '{checkpoint,runId}', "scores" #>> '{checkpoint,step}',
       run."number" DESC, scored."attempt" DESC, scored."seq" DESC`,
    [trajectories],
  );
  const scores = rows
    .map((row) => ActionScores.parse(row.scores))
    .filter(({ checkpoint }) => checkpoints.some((each) => isSameCheckpoint(each, checkpoint)));
  return { sides, scores, requests: await newestRequests(database, trajectories, checkpoints) };
}

/** The newest run of each checkpoint that was asked to score all of the trajectories. */
async function newestRequests(
  database: Database,
  trajectories: readonly string[],
  checkpoints: readonly CheckpointReference[],
): Promise<RequestedRun[]> {
  const { rows } = await database.pool.query<RequestedRow<unknown>>(
    `SELECT "id", "status", "reason", "config" FROM "Run"
     WHERE "recipe" = 'action-scores' AND "config" -> 'trajectories' @> ANY($1::jsonb[])
     ORDER BY "number" DESC LIMIT 200`,
    [trajectories.map((id) => JSON.stringify([{ id }]))],
  );
  const runs = rows.flatMap((row) => {
    const config = ActionScoresConfig.safeParse(row.config).data;
    const scored = config?.trajectories.map(({ id }) => id) ?? [];
    return config && trajectories.every((id) => scored.includes(id))
      ? config.checkpoints.map((checkpoint) => toRequestedRun(row, checkpoint))
      : [];
  });
  return checkpoints.flatMap(
    (checkpoint) => runs.find((run) => isSameCheckpoint(run.checkpoint, checkpoint)) ?? [],
  );
}

/**
 * Asks for the scores that are not there and not under way, one run a checkpoint, and gives their ids. Throws `conflict` where
 * none of the checkpoints can be loaded.
 */
export async function requestActionScores(
  database: Database,
  trajectories: readonly string[],
): Promise<string[]> {
  const { sides, scores, requests } = await readActionScores(database, trajectories);
  const loadable = distinct(
    sides.flatMap(({ checkpoint, obstacle }) => (checkpoint && !obstacle ? checkpoint : [])),
  );
  if (loadable.length === 0)
    throw new AppError(
      'conflict',
      `nothing can be scored: ${sides.map(({ obstacle }) => obstacle).join('; ')}`,
    );
  const missing = loadable.filter((checkpoint) => {
    const request = requests.find((each) => isSameCheckpoint(each.checkpoint, checkpoint));
    const isUnderWay = request !== undefined && !isFinalStatus(request.status);
    const scored = scores.filter((each) => isSameCheckpoint(each.checkpoint, checkpoint));
    return !isUnderWay && trajectories.some((id) => !scored.some(({ trajectoryId }) => trajectoryId === id));
  });
  const scaffolds = await Promise.all(
    trajectories.map(async (id) => (await requireOrigin(database, id)).settings.scaffold),
  );
  const launched: string[] = [];
  for (const checkpoint of missing) {
    const settings = settingsOfWork(await requireSettings(database, checkpoint.runId), checkpoint);
    const scored = trajectories.map((id, index) => ({ id, scaffold: scaffolds[index] }));
    const name = `scores under ${checkpoint.runId} step ${checkpoint.step}`;
    const config = { ...settings, trajectories: scored };
    launched.push((await launchRequested(database, 'action-scores', name, config)).runId);
  }
  return launched;
}

function distinct(checkpoints: readonly CheckpointReference[]): CheckpointReference[] {
  return checkpoints.filter(
    (each, index) => checkpoints.findIndex((other) => isSameCheckpoint(other, each)) === index,
  );
}
