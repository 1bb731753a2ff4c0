import { z } from 'zod';
import type { PlayingCheckpoint } from '@/contract/action-scores';
import { CheckpointReference } from '@/contract/checkpoint';
import { AppError } from '@/contract/errors';
import { evaluatedRunOf } from '@/contract/evaluation';
import { RUN_SHAPE, type RunSettings } from '@/contract/recipes/run-settings';
import type { Database } from '../database';

/** Steps named where the one that was asked for was not saved. */
const NAMED_STEPS = 10;

const Settings = z.object(RUN_SHAPE);
const Named = z.object({ checkpoints: z.array(CheckpointReference).default([]) });

/** The settings that every recipe has, as a run's stored config holds them. Throws `conflict` where it has none, as an import. */
export async function requireSettings(database: Database, runId: string): Promise<RunSettings> {
  const run = await database.prisma.run.findUnique({
    where: { id: runId },
    select: { config: true, kind: true, engine: true },
  });
  if (!run)
    throw new AppError('not_found', `no run has the id ${runId}`, [{ path: 'runId', message: 'unknown' }]);
  const settings = Settings.safeParse(run.config);
  if (settings.success) return settings.data;
  const why =
    run.kind === 'import'
      ? 'it was imported'
      : run.engine === 'none'
        ? 'its model is behind an API'
        : 'its config is of another version';
  throw new AppError('conflict', `run ${runId} has no weights that a worker could load: ${why}`);
}

/** The checkpoint that played a recorded trajectory, and what keeps it from working again; throws `not_found`. */
export async function playingCheckpoint(
  database: Database,
  trajectoryId: string,
): Promise<PlayingCheckpoint> {
  const checkpoint = checkpointOf(await requirePlayed(database, trajectoryId));
  const obstacle = await checkpointObstacle(database, checkpoint);
  return {
    trajectoryId,
    checkpoint: obstacle?.hasWeights === false ? null : checkpoint,
    obstacle: obstacle?.words ?? null,
  };
}

/**
 * The checkpoint that a stored trajectory was played by: that of its run at its step, where neither the evaluation that it counts
 * in nor its run's config, as of one that works on checkpoints of others, names another.
 */
export function checkpointOf({
  runId,
  step,
  evaluation,
  run,
}: {
  runId: string;
  step: number;
  evaluation: string | null;
  run: { config: unknown };
}): CheckpointReference {
  const evaluated = evaluation === null ? null : evaluatedRunOf(evaluation);
  if (evaluated !== null) return { runId: evaluated, step };
  const named = Named.safeParse(run.config).data?.checkpoints;
  return named?.find((checkpoint) => checkpoint.step === step) ?? { runId, step };
}

async function requirePlayed(database: Database, id: string) {
  const row = await database.prisma.trajectory.findUnique({
    where: { id: BigInt(id) },
    select: { runId: true, step: true, evaluation: true, run: { select: { config: true } } },
  });
  if (!row)
    throw new AppError('not_found', `no trajectory has the id ${id}`, [
      { path: 'trajectory', message: 'expected the id of a trajectory' },
    ]);
  return row;
}

/** Why no worker can load a checkpoint, whoever it is; null where one may. */
async function checkpointObstacle(
  database: Database,
  { runId, step }: CheckpointReference,
): Promise<{ words: string; hasWeights: boolean } | null> {
  try {
    await requireSettings(database, runId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { words: error.message, hasWeights: false };
  }
  // Step 0 of a run that saved none is its model folder.
  if (step === 0) return null;
  const saved = await database.prisma.checkpoint.findMany({
    where: { runId, complete: true },
    distinct: ['step'],
    select: { step: true },
    orderBy: { step: 'asc' },
  });
  if (saved.some((checkpoint) => checkpoint.step === step)) return null;
  const nearest = saved
    .map((checkpoint) => checkpoint.step)
    .sort((a, b) => Math.abs(a - step) - Math.abs(b - step))
    .slice(0, NAMED_STEPS)
    .sort((a, b) => a - b);
  const known =
    nearest.length > 0 ? `complete ones are of steps ${nearest.join(', ')}` : 'it has no complete one';
  return { words: `run ${runId} has no complete checkpoint of step ${step}; ${known}`, hasWeights: true };
}

/** Throws `conflict` with the reason where no worker can load a checkpoint, `not_found` where there is no such run. */
export async function requireLoadable(database: Database, checkpoint: CheckpointReference): Promise<void> {
  await requireSettings(database, checkpoint.runId);
  const obstacle = await checkpointObstacle(database, checkpoint);
  if (obstacle)
    throw new AppError('conflict', obstacle.words, [{ path: 'checkpoint', message: obstacle.words }]);
}

/** The run that recorded a trajectory, its step among it, and the settings it was played with. */
export async function requireOrigin(
  database: Database,
  trajectoryId: string,
): Promise<{ runId: string; settings: RunSettings }> {
  const { runId } = await requirePlayed(database, trajectoryId);
  return { runId, settings: await requireSettings(database, runId) };
}
