import type { SamplingClient } from '@/contract/engine';
import type { RunSettings } from '@/contract/recipes/run-settings';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { rolloutMetrics } from '@/rl/learning/rollout-metrics';
import { measureControls } from './controls';
import { evaluateCheckpoint, evaluateMaskedBase, playProbe, taskSets } from './evaluation';
import { FailureWatch } from './failures';
import { logEvent, pointsEvent, type RecipeContext } from './recipe';
import type { RunSetup } from './setup';

/** What one step of a recipe comes to. */
export interface Iteration {
  /** All that were played: the `rollout/*` metrics count them. */
  trajectories: Trajectory[];
  /** Those of them whose records are kept. */
  recorded: Trajectory[];
  /** The recipe's own metrics, `tokens/trained` among them. */
  metrics: Record<string, number>;
}

/**
 * The iterations of a run around a recipe's own step: evaluations, probes and controls at their steps, metrics,
 * checkpoints, the end. `iterate` samples with `sampler`, the weights of checkpoint `step - 1`, and updates them; null where
 * the run was stopped before the update, while the step waited for something: the weights are still those of `step - 1`.
 */
export async function* trainingLoop(
  setup: RunSetup,
  iterate: (sampler: SamplingClient, step: number) => AsyncGenerator<RecipeEvent, Iteration | null>,
): AsyncGenerator<RecipeEvent> {
  const { config, context } = setup;
  const { training } = context.engine;
  const failures = new FailureWatch();
  const first = (context.resumeFrom?.step ?? 0) + 1;
  let sampler = await training.saveWeightsForSampler();
  // A checkpoint may have been saved by a stop that cut its step's evaluation short.
  if (isEvaluated(first - 1, config)) yield* evaluate(setup, sampler, first - 1);

  for (let step = first; step <= config.steps && !context.signal.aborted; step++) {
    const usedBefore = engineUse(sampler);
    const iteration = yield* iterate(sampler, step);
    if (iteration === null) {
      const isSaved = step === first || (step - 1) % config.checkpoint.everySteps === 0;
      if (!isSaved) yield* saveCheckpoint(context, step - 1, first);
      return;
    }
    const { trajectories, recorded, metrics } = iteration;
    const used = differences(engineUse(sampler), usedBefore);
    sampler = await training.saveWeightsForSampler();

    yield pointsEvent(step, { ...rolloutMetrics(trajectories), ...used, ...metrics });
    for (const trajectory of recorded) yield { kind: 'trajectory:finished', trajectory };
    yield { kind: 'step:finished', step, steps: config.steps };
    if (metrics['tokens/trained'] === 0 && trajectories.some(({ stopReason }) => stopReason !== 'error'))
      yield logEvent('warn', `step ${step} taught nothing: no group has rewards that differ`);
    yield* failures.observe(step, trajectories);

    if (isEvaluated(step, config)) yield* evaluate(setup, sampler, step);
    if (step % config.checkpoint.everySteps === 0 || step === config.steps || context.signal.aborted)
      yield* saveCheckpoint(context, step, first);
  }
}

/** What a sampler has used since it was made: an evaluation may have come before the rollout. */
function engineUse(sampler: SamplingClient): Record<string, number> {
  const { prefilled, reused, sampled } = sampler.counts();
  const { prefillS, decodeS } = sampler.times();
  return {
    'tokens/prefilled': prefilled,
    'tokens/reused': reused,
    'tokens/sampled': sampled,
    'time/prefill': prefillS,
    'time/decode': decodeS,
  };
}

function differences(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}

function isEvaluated(step: number, { evaluation, steps }: RunSettings): boolean {
  return evaluation.everySteps > 0 && (step % evaluation.everySteps === 0 || step === steps);
}

/** Evaluation and probe of a step's checkpoint; the first time with the controls, on the same tasks. */
async function* evaluate(
  setup: RunSetup,
  sampler: SamplingClient,
  step: number,
): AsyncGenerator<RecipeEvent> {
  const { config, context } = setup;
  const { evaluation, steps } = config;
  const started = context.clock();
  const sizes = step === 0 || step === steps ? evaluation.finalSplits : evaluation.splits;
  const sets = taskSets(setup.suite, sizes);
  yield* evaluateCheckpoint(setup, sampler, step, sets);
  if (!context.signal.aborted) yield* playProbe(setup, sampler, step);
  if (step === 0 && evaluation.controls && !context.signal.aborted) {
    yield* measureControls(setup, sets);
    yield* evaluateMaskedBase(setup, sampler, sets);
  }
  yield pointsEvent(step, { 'time/evaluation': context.clock() - started });
}

async function* saveCheckpoint(
  context: RecipeContext,
  step: number,
  first: number,
): AsyncGenerator<RecipeEvent> {
  const dir = context.checkpointDir(step);
  await context.engine.training.saveState(dir);
  yield { kind: 'checkpoint:written', step, parentStep: first > 1 ? first - 1 : null, dir };
  yield logEvent('info', `checkpoint of step ${step} written`);
}
