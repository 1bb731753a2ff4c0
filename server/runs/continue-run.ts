import type pg from 'pg';
import { ContinueRequest } from '@/contract/api';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { needsCheckpointToContinue, recipeOf, type RequestedRecipe } from '@/contract/recipes/requested';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { continueObstacle, newestCheckpoint } from '@/contract/run-view';
import type { PublishedEvent } from '@/contract/run-events';
import { inTransaction, type Database } from '../database';
import { lockRun, recordServerEvent } from './locked-run';

/**
 * Puts a run that was stopped, has failed or waits for a person back in the queue; its next attempt goes on from its newest
 * complete checkpoint, or plays what is not stored yet where its recipe needs none, and as many attempts as a new run has may be lost. More steps and other rules become part of its config and are told in its log. Throws `not_found`,
 * `conflict` where the run cannot go on, and `invalid_input` where the changes do not make a config.
 */
export async function continueRun(
  database: Database,
  runId: string,
  request: unknown,
): Promise<PublishedEvent[]> {
  const changes = parseOrThrow(ContinueRequest, request, 'continue');
  return inTransaction(database, async (client) => {
    const run = await lockRun(client, runId);
    const before = await readConfig(client, runId);
    const config = changedConfig(before, changes);
    const needsCheckpoint = needsCheckpointToContinue(before.recipe);
    const obstacle = continueObstacle(run.view, config.steps, needsCheckpoint);
    if (obstacle !== null) throw new AppError('conflict', `run ${runId} cannot be continued: ${obstacle}`);
    await client.query(`UPDATE "Run" SET "config" = $2, "continuedAttempt" = "attempt" WHERE "id" = $1`, [
      runId,
      JSON.stringify(config),
    ]);
    run.view = { ...run.view, steps: config.steps };
    run.workerId = null;
    const from = needsCheckpoint
      ? `from the checkpoint of step ${newestCheckpoint(run.view)?.step}`
      : 'with what is stored of it';
    const message = [`Continued on request ${from}`, ...changeWords(before.config, config)].join('; ');
    const logged = await recordServerEvent(client, run, { kind: 'log:written', level: 'info', message });
    const queued = await recordServerEvent(client, run, {
      kind: 'status:changed',
      status: 'queued',
      reason: `continued ${from}`,
      resumedFromStep: null,
    });
    return [...logged, ...queued];
  });
}

interface StoredConfig {
  recipe: string;
  config: RunSettings;
}

async function readConfig(client: pg.PoolClient, runId: string): Promise<StoredConfig> {
  const { rows } = await client.query<{ recipe: string; config: unknown }>(
    `SELECT "recipe", "config" FROM "Run" WHERE "id" = $1`,
    [runId],
  );
  const recipe = rows[0]?.recipe ?? '';
  return { recipe, config: parseOrThrow(entryOf(recipe).config, rows[0]?.config, 'config', 'config') };
}

function entryOf(recipe: string): RequestedRecipe {
  const entry = recipeOf(recipe);
  if (!entry) throw new AppError('conflict', `recipe ${recipe} is not one that runs here`);
  return entry;
}

function changedConfig({ recipe, config }: StoredConfig, { steps, rules }: ContinueRequest): RunSettings {
  if (steps !== undefined && steps < config.steps)
    throw new AppError(
      'invalid_input',
      `steps is ${steps}; the run has ${config.steps}, expected as many or more`,
      [{ path: 'steps', message: `expected ${config.steps} or more` }],
    );
  const changed = { ...config, ...(steps !== undefined && { steps }), ...(rules !== undefined && { rules }) };
  return parseOrThrow(entryOf(recipe).config, changed, 'config', 'config');
}

function changeWords(before: RunSettings, after: RunSettings): string[] {
  const steps = before.steps === after.steps ? [] : [`steps ${before.steps} → ${after.steps}`];
  const haveRulesChanged = JSON.stringify(before.rules) !== JSON.stringify(after.rules);
  return haveRulesChanged
    ? [...steps, after.rules === null ? 'without its rules' : 'with other rules']
    : steps;
}
