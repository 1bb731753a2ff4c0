import { AppError } from '@/contract/errors';
import type { LaunchRequest } from '@/contract/recipes/registry';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { isFinalStatus, type RunKind, type RunStatus } from '@/contract/run';
import type { PublishedEvent } from '@/contract/run-events';
import { emptyRunView } from '@/contract/run-view';
import { SCHEMA_VERSION } from '@/contract/version';
import { inTransaction, type Database } from '../database';
import { safeText } from '../ingest/safe-text';
import { lockRun, recordServerEvent } from './locked-run';

/** Puts a run in the queue: one row with its whole resolved config. Ids are `r-` and at least four digits. */
export async function launchRun(
  database: Database,
  launch: Pick<LaunchRequest, 'name' | 'preset'> & { recipe: string; config: RunSettings },
  kind: Extract<RunKind, 'training' | 'evaluation'> = 'training',
): Promise<{ runId: string }> {
  const { name, recipe, preset, config } = launch;
  const { rows } = await database.pool.query<{ number: number }>(
    `SELECT nextval(pg_get_serial_sequence('"Run"', 'number'))::int AS number`,
  );
  const number = rows[0]?.number ?? 0;
  const runId = `r-${String(number).padStart(4, '0')}`;
  await database.pool.query(
    `INSERT INTO "Run" ("id", "number", "name", "kind", "recipe", "preset", "seed", "config", "configVersion",
       "engine", "steps", "view")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      runId,
      number,
      safeText(name),
      kind,
      recipe,
      safeText(preset),
      config.seed,
      JSON.stringify(config),
      SCHEMA_VERSION,
      config.engine.kind,
      config.steps,
      JSON.stringify({ ...emptyRunView(runId), steps: config.steps }),
    ],
  );
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
