import { loadavg } from 'node:os';
import { evaluationMetric, type EvaluationResult } from '@/contract/evaluation';
import type { RecipeId } from '@/contract/recipes/registry';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { fromWireNumber, type RecipeEvent } from '@/contract/run-events';
import { evaluateCheckpoint, type TaskSet } from '@/rl/recipes/evaluation';
import { prepareRun } from '@/rl/recipes/registry';
import { setUp } from '@/rl/recipes/setup';
import { wilson } from '@/stats/wilson';
import { createEngine } from '@/workers/engines/engine';
import { localContext } from '@/workers/run/local-context';

/** A checkpoint on a set of tasks. */
export interface Reading {
  step: number;
  /** Summed `time/rollout + time/train` up to the step. */
  minutes: number;
  evaluation: EvaluationResult;
  /** By task id. */
  solved: ReadonlyMap<string, boolean>;
}

/** How far training has come after a step. */
export interface TrainingProgress {
  step: number;
  minutes: number;
  /** Of the step that took longest so far. */
  longestStepMinutes: number;
}

export interface TrainAndRead {
  recipe: RecipeId;
  config: RunSettings;
  /** Folder for checkpoints, below the repository. */
  folder: string;
  sets: readonly TaskSet[];
  /** Whether the checkpoint of a step is read, and whether training goes on after it. */
  after: (progress: TrainingProgress) => { isRead: boolean; goesOn: boolean };
}

/** Trains, and reads checkpoint 0 and those asked for on every set, sampled at temperature 1. */
export async function* trainAndRead(training: TrainAndRead): AsyncGenerator<Reading> {
  const { recipe, config, folder, sets, after } = training;
  const run = prepareRun(recipe, {
    ...config,
    evaluation: { ...config.evaluation, everySteps: 0, decodings: ['sampled'] },
    checkpoint: { everySteps: config.steps },
    ...(config.recording && { recording: { trainGroups: 0 } }),
  });
  const engine = await createEngine({ ...run.config.engine, seed: run.config.seed });
  const context = localContext(engine, (step) => `${folder}/step-${step}`);
  const setup = await setUp(run.config, context);
  async function* read(step: number, minutes: number): AsyncGenerator<Reading> {
    const sampler = await engine.training.saveWeightsForSampler();
    const solved = new Map<string, boolean>();
    for await (const event of evaluateCheckpoint(setup, sampler, step, sets)) {
      if (event.kind === 'trajectory:finished')
        solved.set(event.trajectory.taskId, event.trajectory.success === true);
      if (event.kind !== 'evaluation:finished') continue;
      yield { step, minutes, evaluation: event.evaluation, solved: new Map(solved) };
      solved.clear();
    }
  }
  try {
    yield* read(0, 0);
    let minutes = 0;
    let longestStepMinutes = 0;
    for await (const event of run.events(context)) {
      const spent = trainingSeconds(event) / 60;
      minutes += spent;
      longestStepMinutes = Math.max(longestStepMinutes, spent);
      if (event.kind !== 'step:finished') continue;
      const { isRead, goesOn } = after({ step: event.step, minutes, longestStepMinutes });
      if (isRead) yield* read(event.step, minutes);
      if (!goesOn) break;
    }
  } finally {
    await engine.close();
  }
}

function trainingSeconds(event: RecipeEvent): number {
  if (event.kind !== 'points:measured') return 0;
  return event.points
    .filter(({ name }) => name === 'time/rollout' || name === 'time/train')
    .reduce((sum, { value }) => sum + fromWireNumber(value), 0);
}

const percent = (fraction: number): string => (fraction * 100).toFixed(1);

/** A reading as a line, with Wilson's 95 % interval and the load of the machine. */
export function readingLine(seed: number, { step, minutes, evaluation }: Reading): string {
  const { split, successes, n } = evaluation;
  const { low, high } = wilson(successes, n);
  const invalid = evaluationMetric(evaluation, 'invalid_action_rate');
  return (
    `seed ${seed} step ${String(step).padStart(3)} ${minutes.toFixed(2).padStart(5)} min  ${split} success ${successes}/${n} ` +
    `${percent(successes / n)} [${percent(low)}, ${percent(high)}]  invalid ${percent(invalid)} %  load ${loadavg()[0]?.toFixed(1)}`
  );
}
