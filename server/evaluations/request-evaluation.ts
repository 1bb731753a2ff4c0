import type { CheckpointReference } from '@/contract/checkpoint';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { CheckpointEvaluationConfig } from '@/contract/recipes/checkpoint-evaluation';
import { recipeOf, REQUESTED_PRESET } from '@/contract/recipes/requested';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { evaluationConfigOf, EvaluationRequest } from '@/contract/requested-evaluation';
import type { Database } from '../database';
import { launchRun } from '../runs/commands';
import { requireRun } from '../runs/queries';

/** Steps that a refusal names. */
const NAMED_STEPS = 20;

/**
 * Queues a run that evaluates checkpoints of `runId` as asked. Throws `not_found`, `conflict` where the run has no weights
 * that could be evaluated, and `invalid_input` where a checkpoint is not there or the settings do not make a config.
 */
export async function requestEvaluation(
  database: Database,
  runId: string,
  body: unknown,
): Promise<{ runId: string }> {
  const { name, steps, everyNth, ...settings } = parseOrThrow(EvaluationRequest, body, 'evaluation');
  const { run, config: stored } = await requireRun(database, runId);
  const source = evaluableSettings(run, stored);
  const complete = await completeSteps(database, runId);
  const missing = steps.filter((step) => step !== 0 && !complete.includes(step));
  if (missing.length > 0)
    throw new AppError(
      'invalid_input',
      `run ${runId} has no complete checkpoint of step ${missing.join(', ')}; it has ${stepWords(complete)}`,
      [{ path: 'steps', message: `expected steps among ${stepWords(complete)}` }],
    );
  const swept = everyNth === undefined ? [] : everyNthFromNewest(complete, everyNth);
  const chosen = [...new Set([...steps, ...swept])].sort((a, b) => a - b);
  if (chosen.length === 0)
    throw new AppError('invalid_input', `run ${runId} has no complete checkpoint`, [
      { path: 'everyNth', message: 'expected a run with complete checkpoints, or steps: [0]' },
    ]);
  const checkpoints = chosen.map((step): CheckpointReference => ({ runId, step }));
  const config = parseOrThrow(
    CheckpointEvaluationConfig,
    evaluationConfigOf(source, checkpoints, settings),
    'config',
    'config',
  );
  const launch = {
    name: name ?? defaultName(run.name, chosen),
    recipe: 'checkpoint-evaluation',
    preset: REQUESTED_PRESET,
    config,
  };
  return launchRun(database, launch, 'evaluation');
}

/** The settings of a run as far as an evaluation of its checkpoints needs them. */
function evaluableSettings(
  { id, kind, recipe }: { id: string; kind: string; recipe: string },
  config: unknown,
): RunSettings {
  const refuse = (reason: string) =>
    new AppError('conflict', `checkpoints of run ${id} cannot be evaluated: ${reason}`);
  const entry = recipeOf(recipe);
  if (!entry) throw refuse(`recipe ${recipe} is not one that runs here`);
  if (kind !== 'training') throw refuse(`it is of kind ${kind}, and only training leaves checkpoints`);
  const settings = parseOrThrow(entry.config, config, 'config', 'config');
  if (settings.engine.kind === 'none') throw refuse('it has no weights of its own');
  return settings;
}

/** Steps of a run's complete checkpoints, ascending. */
async function completeSteps(database: Database, runId: string): Promise<number[]> {
  const rows = await database.prisma.checkpoint.findMany({
    where: { runId, complete: true },
    distinct: ['step'],
    select: { step: true },
    orderBy: { step: 'asc' },
  });
  return rows.map(({ step }) => step);
}

function everyNthFromNewest(steps: readonly number[], everyNth: number): number[] {
  return steps.filter((_, index) => (steps.length - 1 - index) % everyNth === 0);
}

function stepWords(steps: readonly number[]): string {
  const named = [0, ...steps.filter((step) => step !== 0)];
  const more = named.length > NAMED_STEPS ? ` and ${named.length - NAMED_STEPS} more` : '';
  return `${named.slice(0, NAMED_STEPS).join(', ')}${more}`;
}

function defaultName(name: string, steps: readonly number[]): string {
  const which = steps.length === 1 ? `step ${steps[0]}` : `${steps.length} checkpoints`;
  const suffix = `: evaluation of ${which}`;
  return `${name.slice(0, 100 - suffix.length)}${suffix}`;
}
