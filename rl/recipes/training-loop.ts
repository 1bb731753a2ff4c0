import type { SamplingClient } from '@/contract/engine';
import type { RunSettings } from '@/contract/recipes/run-settings';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { usageMetrics } from '@/rl/learning/cost';
import { rolloutMetrics } from '@/rl/learning/rollout-metrics';
import { countsSince, totalCounts } from '@/rl/learning/token-counts';
import { measureControls } from './controls';
import { evaluateCheckpoint, evaluateMaskedBase, playProbe, taskSets } from './evaluation';
import { FailureWatch } from './failures';
import { logEvent, pointsEvent, type RecipeContext } from './recipe';
import { RuleWatch } from './rules';
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
 * checkpoints, the run's rules, the end. `iterate` samples with `sampler`, the weights of checkpoint `step - 1`, and updates them; null where
 * the run was stopped before the update, while the step waited for something: the weights are still those of `step - 1`.
 */
export async function* trainingLoop(
  setup: RunSetup,
  iterate: (sampler: SamplingClient, step: number) => AsyncGenerator<RecipeEvent, Iteration | null>,
): AsyncGenerator<RecipeEvent> {
  const { config, context } = setup;
  const { training, base } = context.engine;
  const failures = new FailureWatch();
  const rules = new RuleWatch(config.rules, context.resumeFrom?.earlier);
  const first = (context.resumeFrom?.step ?? 0) + 1;
  let sampler = await training.saveWeightsForSampler();
  // A checkpoint may have been saved by a stop that cut its step's evaluation short.
  if (isEvaluated(first - 1, config)) yield* rules.watching(evaluate(setup, sampler, first - 1));

  for (let step = first; step <= config.steps && !context.signal.aborted; step++) {
    // An evaluation may have come before the rollout; a KL term has the base score what is trained on.
    const samplers = [sampler, base];
    const countsBefore = totalCounts(samplers);
    const timesBefore = sampler.times();
    const iteration = yield* iterate(sampler, step);
    if (iteration === null) {
      const isSaved = step === first || (step - 1) % config.checkpoint.everySteps === 0;
      if (!isSaved) yield* saveCheckpoint(context, step - 1, first);
      return;
    }
    const { trajectories, recorded, metrics } = iteration;
    const counts = countsSince(countsBefore, totalCounts(samplers));
    const times = sampler.times();
    sampler = await training.saveWeightsForSampler();

    const points = pointsEvent(step, {
      ...rolloutMetrics(trajectories),
      'time/prefill': times.prefillS - timesBefore.prefillS,
      'time/decode': times.decodeS - timesBefore.decodeS,
      ...metrics,
      ...usageMetrics('training', counts, metrics['tokens/trained'] ?? 0, config.cost),
    });
    rules.observe(points);
    yield points;
    for (const trajectory of recorded) yield { kind: 'trajectory:finished', trajectory };
    yield { kind: 'step:finished', step, steps: config.steps };
    if (metrics['tokens/trained'] === 0 && trajectories.some(({ stopReason }) => stopReason !== 'error'))
      yield logEvent('warn', `step ${step} taught nothing: no group has rewards that differ`);
    yield* failures.observe(step, trajectories);

    if (isEvaluated(step, config)) yield* rules.watching(evaluate(setup, sampler, step));
    // After the last step there is nothing to save the run from.
    const fired = step < config.steps ? rules.fired() : null;
    const isLast = step === config.steps || fired !== null || context.signal.aborted;
    if (isLast || step % config.checkpoint.everySteps === 0) yield* saveCheckpoint(context, step, first);
    if (fired !== null) {
      yield { kind: 'rule:fired', ...fired };
      return;
    }
  }
}

/** Whether a step's checkpoint is evaluated. */
export function isEvaluated(step: number, { evaluation, steps }: RunSettings): boolean {
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
  const countsBefore = sampler.counts();
  yield* evaluateCheckpoint(setup, sampler, step, sets);
  const countsBeforeProbe = sampler.counts();
  if (!context.signal.aborted) yield* playProbe(setup, sampler, step);
  const probeCounts = countsSince(countsBeforeProbe, sampler.counts());
  if (step === 0 && evaluation.controls && !context.signal.aborted) {
    yield* measureControls(setup, sets);
    yield* evaluateMaskedBase(setup, sampler, sets);
  }
  const evaluationCounts = countsSince(probeCounts, countsSince(countsBefore, sampler.counts()));
  yield pointsEvent(step, {
    'time/evaluation': context.clock() - started,
    ...usageMetrics('evaluation', evaluationCounts, 0, config.cost),
    ...(config.probe.tasks > 0 && usageMetrics('probe', probeCounts, 0, config.cost)),
  });
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
