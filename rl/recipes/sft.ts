/**
 * Supervised fine-tuning on demonstrations: cross-entropy of their replies, each reply token with the same weight. The
 * demonstrations are the environment's expert played through the run's scaffold, new tasks each step, or trajectories
 * that runs have recorded, told anew through it; a working memory is imitated too, as a call of its own. Page: docs/recipes/sft.md.
 */
import type { Datum } from '@/contract/engine';
import type { SftConfig } from '@/contract/recipes/sft';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { meanOf } from '@/rl/learning/advantages';
import { learningRateAt } from '@/rl/learning/learning-rate';
import { minibatchesOf, rowsOf, rowsToData, type Row } from '@/rl/learning/rows';
import { trainedTokensOf } from '@/rl/learning/token-counts';
import { createRandom, hashSeed } from '@/rl/random';
import { openDemonstrations, withDealtReplies } from './demonstrations';
import { permuterOf } from './group-scores';
import { adamParams } from './policy-update';
import { activityEvent, type RecipeContext } from './recipe';
import { setUp, type RunSetup } from './setup';
import { trainingLoop } from './training-loop';

export async function* trainSft(config: SftConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const demonstrations = yield* openDemonstrations(setup);
  try {
    yield* trainingLoop(setup, async function* (_sampler, step) {
      const started = context.clock();
      const shown = await demonstrations.at(step);
      const demonstratedS = context.clock() - started;
      const permute = permuterOf({ seed: config.seed, advantage: config.demonstrations }, step);
      const imitated = permute ? withDealtReplies(shown, permute) : shown;
      const rows = imitated.flatMap(({ trajectory, calls }) => {
        const own = rowsOf(calls, 1);
        trajectory.trainedTokens = trainedTokensOf(own, 1);
        return own;
      });
      const update = yield* imitateRows(setup, rows, step);
      const trajectories = shown.map(({ trajectory }) => trajectory);
      return {
        trajectories,
        recorded: trajectories.filter((each) => isKept(each, config)),
        metrics: {
          'time/rollout': demonstratedS,
          'time/environment': demonstratedS,
          'sft/demonstrations': shown.length,
          ...update,
        },
      };
    });
  } finally {
    await demonstrations.close();
  }
}

/** Whether a demonstration's record is kept: it is new, and of the groups that the config names. */
function isKept({ group }: Trajectory, { demonstrations, recording }: SftConfig): boolean {
  return demonstrations.source === 'expert' && (group ?? 0) < recording.trainGroups;
}

/** The step's optimizer updates by cross-entropy; loss and probability are those before each. */
async function* imitateRows(
  { config, context }: RunSetup<SftConfig>,
  rows: readonly Row[],
  step: number,
): AsyncGenerator<RecipeEvent, Record<string, number>> {
  const started = context.clock();
  yield activityEvent(step, 'training', rows.length);
  const { training } = context.engine;
  const learningRate = learningRateAt(step, config.update);
  const random = createRandom(hashSeed(config.seed, 'minibatches', step));
  const updates: { loss: number; gradNorm: number }[] = [];
  const logprobs: number[] = [];
  let trainedTokens = 0;
  let updatesCount = NaN;
  for (const minibatch of minibatchesOf(rows, config.update.minibatches, (prompts) =>
    random.shuffle(prompts),
  )) {
    const data = imitationDataOf(minibatch);
    const output = await training.forwardBackward(data, 'cross_entropy');
    const { gradNorm, updates: updatesSoFar } = await training.optimStep(
      adamParams(config.update, learningRate),
    );
    data.forEach(({ lossFnInputs }, i) =>
      lossFnInputs.weights?.forEach((weight, t) => {
        if (weight > 0) logprobs.push(output.logprobs[i]?.[t] ?? NaN);
      }),
    );
    updates.push({ loss: output.lossSum, gradNorm });
    trainedTokens += output.trainedTokens;
    updatesCount = updatesSoFar;
  }
  return {
    'actor/learning_rate': learningRate,
    'actor/updates': updatesCount,
    'actor/loss': meanOf(updates.map(({ loss }) => loss)),
    'actor/grad_norm': meanOf(updates.map(({ gradNorm }) => gradNorm)),
    'sft/loss': -meanOf(logprobs),
    'sft/token_probability': meanOf(logprobs.map(Math.exp)),
    'tokens/trained': trainedTokens,
    'time/train': context.clock() - started,
  };
}

/** Rows as data of a cross-entropy: each reply token weighs 1 / (reply tokens of the batch), all else nothing. */
export function imitationDataOf(rows: readonly Row[]): Datum[] {
  return rowsToData(rows, 'token-mean').map(({ modelInput, lossFnInputs: { targetTokens, weights } }) => ({
    modelInput,
    lossFnInputs: { targetTokens, weights },
  }));
}
