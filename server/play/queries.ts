import { ENVIRONMENTS, type EnvironmentId } from '@/contract/environments/registry';
import { AppError } from '@/contract/errors';
import { PlayMoment, type PlayedWorld, type PlayRequest, type PlayState } from '@/contract/play';
import { parseOrThrow } from '@/contract/parse';
import { PlayConfig } from '@/contract/recipes/requested-work';
import type { Database } from '../database';
import { launchRequested, settingsOfWork } from '../requested/launch-requested';
import { requireLoadable, requireSettings } from '../requested/playing-checkpoint';
import { requireRun } from '../runs/queries';

/** Queues a play by hand. Throws `conflict` where no worker can load the checkpoint. */
export async function requestPlay(database: Database, request: PlayRequest): Promise<{ runId: string }> {
  const { checkpoint, world, turns, decoding, temperature, seed, idleMinutes } = request;
  await requireLoadable(database, checkpoint);
  const source = await requireSettings(database, checkpoint.runId);
  const { environment, evaluation } = source;
  const settings = settingsOfWork(
    {
      ...source,
      seed: seed ?? source.seed,
      environment: { ...environment, maxTurns: turns ?? environment.maxTurns },
      evaluation: { ...evaluation, temperature: temperature ?? evaluation.temperature },
    },
    checkpoint,
  );
  const name = `play ${checkpoint.runId} step ${checkpoint.step}`;
  return launchRequested(database, 'play', name, {
    ...settings,
    world: worldIn(environment.id, world),
    decoding,
    idleMinutes,
  });
}

/** The world with its task's whole id: lists show it without the environment's name, and so it is typed. */
function worldIn(environment: EnvironmentId, world: PlayedWorld): PlayedWorld {
  if (world.kind !== 'task') return world;
  const [first = ''] = world.taskId.split('/');
  // An id of another environment stays as it is, to be refused by its name.
  return Object.hasOwn(ENVIRONMENTS, first) ? world : { ...world, taskId: `${environment}/${world.taskId}` };
}

/** A play by hand as far as it has come. Throws `not_found`, and `conflict` where the run is none. */
export async function requirePlay(database: Database, runId: string): Promise<PlayState> {
  const { run, config, view } = await requireRun(database, runId);
  if (run.recipe !== 'play')
    throw new AppError('conflict', `run ${runId} is of recipe ${run.recipe}: it is not played by hand`);
  const { attempt } = run;
  const [moments, commands, trajectory] = await Promise.all([
    database.prisma.runEvent.findMany({
      where: { runId, attempt, kind: 'play:advanced', position: { lte: view.position } },
      select: { payload: true },
      orderBy: { position: 'asc' },
    }),
    database.prisma.runCommand.aggregate({ where: { runId }, _max: { number: true } }),
    database.prisma.trajectory.findFirst({
      where: { runId, attempt },
      select: { id: true },
      orderBy: { id: 'desc' },
    }),
  ]);
  return {
    runId,
    status: run.status,
    reason: run.reason,
    config: parseOrThrow(PlayConfig, config, 'config', 'config'),
    // Written by the ingest, which checked it.
    moments: moments.map(({ payload }) => PlayMoment.parse((payload as { moment: unknown }).moment)),
    lastCommand: commands._max.number ?? 0,
    trajectoryId: trajectory ? String(trajectory.id) : null,
    position: view.position,
  };
}
