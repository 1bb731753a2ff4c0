import {
  LOSS_SETTINGS,
  type AdamParams,
  type Datum,
  type ForwardBackwardOutput,
  type LossFnConfig,
  type SamplingClient,
} from '@/contract/engine';
import type { OptimizerSettings, PolicyUpdate } from '@/contract/recipes/policy-settings';
import type { RunSettings } from '@/contract/recipes/run-settings';
import type { RecipeEvent } from '@/contract/run-events';
import { meanOf } from '@/rl/learning/advantages';
import { learningRateAt } from '@/rl/learning/learning-rate';
import { minibatchesOf, rowsToData, type Row } from '@/rl/learning/rows';
import { updateMetrics, type UpdateMetrics } from '@/rl/learning/update-metrics';
import { createRandom, hashSeed } from '@/rl/random';
import { activityEvent } from './recipe';
import type { RunSetup } from './setup';

/** An optimizer update after its policy loss: `data` are its `rows`, in their order. */
export interface PolicyPass {
  rows: readonly Row[];
  data: readonly Datum[];
  output: ForwardBackwardOutput;
}

/** Adds the gradient of a further term to that of the policy loss, and says what it measured. */
export type FurtherLoss = (pass: PolicyPass) => Promise<Record<string, number>>;

/**
 * The step's optimizer updates; returns its `actor/*` metrics, `tokens/trained` and `time/train`, and the means over the
 * updates of what a further loss measured.
 */
export async function* updatePolicy(
  { config, context }: RunSetup<RunSettings & { update: PolicyUpdate }>,
  rows: readonly Row[],
  step: number,
  addLoss?: FurtherLoss,
): AsyncGenerator<RecipeEvent, Record<string, number>> {
  const started = context.clock();
  yield activityEvent(step, 'training', rows.length);
  const { update } = config;
  const { training } = context.engine;
  const clip = { low: 1 - update.clipLow, high: 1 + update.clipHigh };
  const learningRate = learningRateAt(step, update);
  const updates: ({ loss: number; gradNorm: number } & UpdateMetrics)[] = [];
  const count = update.minibatchRows ? Math.ceil(rows.length / update.minibatchRows) : update.minibatches;
  const measured: Record<string, number>[] = [];
  let trainedTokens = 0;
  let updatesCount = NaN;
  for (let epoch = 0; epoch < update.epochs; epoch++) {
    const random = createRandom(hashSeed(config.seed, 'minibatches', step, epoch));
    for (const minibatch of minibatchesOf(rows, count, (prompts) => random.shuffle(prompts))) {
      const data = dataOf(minibatch, update);
      if (update.klCoef > 0) await addReferenceLogprobs(data, context.engine.base);
      const output = await training.forwardBackward(data, update.loss, lossConfig(update));
      if (addLoss) measured.push(await addLoss({ rows: minibatch, data, output }));
      const { gradNorm, updates: updatesSoFar } = await training.optimStep(adamParams(update, learningRate));
      updatesCount = updatesSoFar;
      updates.push({ loss: output.lossSum, gradNorm, ...updateMetrics(data, output, clip) });
      trainedTokens += output.trainedTokens;
    }
  }
  const last = updates[updates.length - 1];
  return {
    'actor/learning_rate': learningRate,
    'tokens/trained': trainedTokens,
    'time/train': context.clock() - started,
    ...(last && {
      'actor/updates': updatesCount,
      'actor/loss': meanOf(updates.map(({ loss }) => loss)),
      'actor/grad_norm': meanOf(updates.map(({ gradNorm }) => gradNorm)),
      'actor/entropy': meanOf(updates.map(({ entropy }) => entropy)),
      'actor/sampler_logprob': meanOf(updates.map(({ samplerLogprob }) => samplerLogprob)),
      'actor/ppo_kl': last.ppoKl,
      'actor/clip_fraction': last.clipFraction,
    }),
    ...meansOf(measured),
  };
}

/** Means by name, each over the updates that measured it. */
function meansOf(measured: readonly Record<string, number>[]): Record<string, number> {
  const names = new Set(measured.flatMap((each) => Object.keys(each)));
  return Object.fromEntries(
    [...names].map((name) => [name, meanOf(measured.flatMap((each) => each[name] ?? []))]),
  );
}

export function adamParams(update: OptimizerSettings, learningRate: number): AdamParams {
  const { beta1, beta2, eps, weightDecay, gradClipNorm } = update;
  return { learningRate, beta1, beta2, eps, weightDecay, gradClipNorm };
}

/** Summed without a mean, a loss of tokens is the sum over the constant 1. */
function dataOf(rows: readonly Row[], { aggregation, lossScaleFactor }: PolicyUpdate): Datum[] {
  return aggregation === 'token-sum'
    ? rowsToData(rows, 'seq-mean-token-sum-norm', { scaleFactor: 1 })
    : rowsToData(rows, aggregation, { scaleFactor: lossScaleFactor ?? undefined });
}

/** What of the settings the chosen loss takes. */
function lossConfig(update: PolicyUpdate): LossFnConfig {
  const config: LossFnConfig = {
    clipLowThreshold: 1 - update.clipLow,
    clipHighThreshold: 1 + update.clipHigh,
    dualClip: update.dualClip ?? undefined,
    entropyCoef: update.entropyCoef,
    klCoef: update.klCoef,
  };
  return Object.fromEntries(LOSS_SETTINGS[update.loss].map((name) => [name, config[name]]));
}

/** Log-probabilities under the base model, for the KL term. */
async function addReferenceLogprobs(data: readonly Datum[], base: SamplingClient): Promise<void> {
  await Promise.all(
    data.map(async ({ modelInput, lossFnInputs }) => {
      const last = lossFnInputs.targetTokens.slice(-1);
      const logprobs = await base.computeLogprobs([...modelInput, ...last]);
      lossFnInputs.referenceLogprobs = logprobs.slice(1);
    }),
  );
}
