import { AppError } from '@/contract/errors';
import type { LaunchRequest } from '@/contract/recipes/registry';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { isFinalStatus, type RunKind, type RunStatus } from '@/contract/run';
import type { PublishedEvent } from '@/contract/run-events';
import { inTransaction, type Database } from '../database';
import { insertRun } from './insert-run';
import { lockRun, recordServerEvent } from './locked-run';

/** Puts a run in the queue: one row with its whole resolved config. */
export async function launchRun(
  database: Database,
  {
    name,
    recipe,
    preset,
    config,
  }: Pick<LaunchRequest, 'name' | 'preset'> & { recipe: string; config: RunSettings },
  kind: Extract<RunKind, 'training' | 'evaluation'> = 'training',
): Promise<{ runId: string }> {
  const { seed, steps } = config;
  const engine = config.engine.kind;
  const { runId } = await insertRun(database.pool, {
    name,
    kind,
    recipe,
    preset,
    seed,
    config,
    engine,
    steps,
  });
  return { runId };
}

/**
 * Asks a run to stop. One that nobody holds has stopped at once; the worker that holds it learns of it by
 * `run:stop` and by its next beat. Asking twice is harmless; throws `conflict` where the run has ended.
 */
export async function requestStop(
  database: Database,
  runId: string,
): Promise<{ published: PublishedEvent[]; workerId: string | null; attempt: number }> {
  return inTransaction(database, async (client) => {
    const run = await lockRun(client, runId);
    const { status } = run.view;
    const { attempt } = run;
    if (isFinalStatus(status)) throw new AppError('conflict', `run ${runId} has ended: it is ${status}`);
    if (status === 'stopping') return { published: [], workerId: run.workerId, attempt };
    const held = status !== 'queued' && status !== 'lost' && !run.view.awaitsPerson;
    if (!held) run.workerId = null;
    const next: RunStatus = held ? 'stopping' : 'stopped';
    const published = await recordServerEvent(client, run, {
      kind: 'status:changed',
      status: next,
      reason: null,
      resumedFromStep: null,
    });
    return { published, workerId: run.workerId, attempt };
  });
}
