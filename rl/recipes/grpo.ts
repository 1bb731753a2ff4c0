/**
 * GRPO on turns of a text world (group relative policy optimisation, arXiv 2402.03300), with the options of
 * AgentGym-RL (advantages over the sample standard deviation, symmetric clip, k3 KL and entropy in the loss,
 * mean over sequences) and of agentic-rl-lab's ALFWorld chapter (mean-only advantages, a penalty for each invalid
 * action). A turn is a training row, or a whole episode where the scaffold's history only grows. Left out: dual clip and
 * the other loss aggregations. Page: docs/recipes/grpo.md.
 */
import type { AdamParams, Datum, SamplingClient } from '@/contract/engine';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import type { RecipeEvent } from '@/contract/run-events';
import type { Task } from '@/rl/environments/environment';
import { groupAdvantages, isDegenerate, meanOf } from '@/rl/learning/advantages';
import { learningRateAt } from '@/rl/learning/learning-rate';
import { rolloutMetrics } from '@/rl/learning/rollout-metrics';
import { minibatchesOf, rowsOf, rowsToData, type Row } from '@/rl/learning/rows';
import { updateMetrics } from '@/rl/learning/update-metrics';
import { playEpisodes, type PlayedEpisode, type PlayRequest } from '@/rl/play';
import { createRandom, hashSeed } from '@/rl/random';
import { freeResponder } from '@/rl/reply';
import { openScaffold } from '@/rl/scaffolds/registry';
import { measureControls } from './controls';
import {
  evaluateCheckpoint,
  evaluateMaskedBase,
  playDefaults,
  playProbe,
  taskSets,
  type EvaluationSetup,
} from './evaluation';
import { FailureWatch } from './failures';
import { activityEvent, logEvent, pointsEvent, type RecipeContext } from './recipe';

export async function* trainGrpo(config: GrpoConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const { training } = context.engine;
  const failures = new FailureWatch();
  const first = (context.resumeFrom?.step ?? 0) + 1;
  let sampler = await training.saveWeightsForSampler();
  // A checkpoint may have been saved by a stop that cut its step's evaluation short.
  if (isEvaluated(first - 1, config)) yield* evaluate(setup, sampler, first - 1);

  for (let step = first; step <= config.steps && !context.signal.aborted; step++) {
    const started = context.clock();
    const usedBefore = engineUse(sampler);
    yield activityEvent(step, 'rollout', config.rollout.groups * config.rollout.groupSize);
    const groups = await sampleGroups(setup, sampler, step - 1);
    const sampled = context.clock();
    scoreTrajectories(groups, config);
    const rows = trainingRows(groups, config, step);
    if (rows.length === 0 && groups.episodes.some((group) => soundOf(group).length > 0))
      yield logEvent('warn', `step ${step} taught nothing: no group has rewards that differ`);
    yield activityEvent(step, 'training', rows.length);
    const update = await updatePolicy(setup, rows, step);
    const trained = context.clock();
    const rolloutUse = differences(engineUse(sampler), usedBefore);
    sampler = await training.saveWeightsForSampler();

    const trajectories = groups.episodes.flat().map((episode) => episode.trajectory);
    yield pointsEvent(step, {
      ...rolloutMetrics(trajectories),
      ...advantageMetrics(groups),
      ...update,
      ...rolloutUse,
      'time/rollout': sampled - started,
      'time/train': trained - sampled,
      'time/environment': groups.environmentS,
    });
    for (const { trajectory } of groups.episodes.slice(0, config.recording.trainGroups).flat())
      yield { kind: 'trajectory:finished', trajectory };

    yield { kind: 'step:finished', step, steps: config.steps };
    yield* failures.observe(step, trajectories);

    if (isEvaluated(step, config)) yield* evaluate(setup, sampler, step);
    if (step % config.checkpoint.everySteps === 0 || step === config.steps || context.signal.aborted)
      yield* saveCheckpoint(context, step, first);
  }
}

export async function setUp(config: GrpoConfig, context: RecipeContext): Promise<EvaluationSetup> {
  return {
    config,
    context,
    suite: await context.openEnvironment(config.environment),
    scaffold: openScaffold(config.scaffold),
  };
}

interface Groups {
  /** Episodes of each group, [groups][groupSize]. */
  episodes: PlayedEpisode[][];
  environmentS: number;
}

/** Plays `groupSize` episodes of each of `groups` tasks with the weights of checkpoint `step`. */
async function sampleGroups(setup: EvaluationSetup, sampler: SamplingClient, step: number): Promise<Groups> {
  const { config } = setup;
  const { groups, groupSize, temperature, maxReplyTokens } = config.rollout;
  const requests = Array.from({ length: groups }, (_, group) => {
    const task = setup.suite.trainTask({ runSeed: config.seed, step, group });
    return Array.from({ length: groupSize }, (_, sample): PlayRequest<Task> => ({
      task,
      group,
      sample,
      seed: hashSeed(config.seed, 'train', step, task.id, sample),
    }));
  }).flat();
  const { episodes, environmentS } = await playEpisodes(requests, {
    ...playDefaults(setup),
    respond: freeResponder(sampler, {
      maxTokens: maxReplyTokens,
      temperature,
      stopTokens: setup.context.engine.stopTokens,
    }),
    lanes: sampler.lanes,
    step,
    phase: 'train',
    decoding: 'sampled',
    records: ({ group }) => group !== null && group < config.recording.trainGroups,
  });
  return {
    episodes: Array.from({ length: groups }, (_, group) =>
      episodes.slice(group * groupSize, (group + 1) * groupSize),
    ),
    environmentS,
  };
}

/** The episodes of a group that were played to their end: a failed environment says nothing of the policy. */
function soundOf(group: readonly PlayedEpisode[]): PlayedEpisode[] {
  return group.filter(({ trajectory }) => trajectory.stopReason !== 'error');
}

/** Writes each trajectory's shaped reward and advantage; those that ended in an error have none. */
function scoreTrajectories({ episodes }: Groups, config: GrpoConfig): void {
  for (const group of episodes.map(soundOf)) {
    const rewardsG = group.map(
      ({ trajectory }) => trajectory.reward - config.reward.invalidActionPenalty * trajectory.invalidActions,
    );
    const advantagesG = groupAdvantages(rewardsG, config.advantage);
    group.forEach(({ trajectory }, i) => {
      trajectory.shapedReward = rewardsG[i] ?? null;
      trajectory.advantage = advantagesG[i] ?? null;
    });
  }
}

/** The calls of every trajectory that teaches something, as rows. */
function trainingRows({ episodes }: Groups, config: GrpoConfig, step: number): Row[] {
  const kept = episodes
    .map(soundOf)
    .filter((group) => !(config.advantage.dropDegenerateGroups && isDegenerateGroup(group)))
    .flat();
  const advantages = kept.map(({ trajectory }) => trajectory.advantage ?? 0);
  const shown = config.advantage.permute
    ? createRandom(hashSeed(config.seed, 'permute', step)).shuffle(advantages)
    : advantages;
  return kept.flatMap(({ calls }, i) => rowsOf(calls, shown[i] ?? 0));
}

function isDegenerateGroup(group: readonly PlayedEpisode[]): boolean {
  return isDegenerate(soundOf(group).map(({ trajectory }) => trajectory.shapedReward ?? 0));
}

/** The step's optimizer updates; returns its `actor/*` metrics and trained tokens. */
async function updatePolicy(
  setup: EvaluationSetup,
  rows: readonly Row[],
  step: number,
): Promise<Record<string, number>> {
  const { config, context } = setup;
  const { update } = config;
  const { training } = context.engine;
  const clip = { low: 1 - update.clipLow, high: 1 + update.clipHigh };
  const learningRate = learningRateAt(step, update);
  const updates: { loss: number; gradNorm: number; entropy: number; ppoKl: number; clipFraction: number }[] =
    [];
  let trainedTokens = 0;
  let updatesCount = NaN;
  for (let epoch = 0; epoch < update.epochs; epoch++) {
    const random = createRandom(hashSeed(config.seed, 'minibatches', step, epoch));
    for (const minibatch of minibatchesOf(rows, update.minibatches, (prompts) => random.shuffle(prompts))) {
      const data = rowsToData(minibatch, update.aggregation);
      if (update.klCoef > 0) await addReferenceLogprobs(data, context.engine.base);
      const output = await training.forwardBackward(data, 'ppo', {
        clipLowThreshold: clip.low,
        clipHighThreshold: clip.high,
        entropyCoef: update.entropyCoef,
        klCoef: update.klCoef,
      });
      const { gradNorm, updates: count } = await training.optimStep(adamParams(update, learningRate));
      updatesCount = count;
      updates.push({ loss: output.lossSum, gradNorm, ...updateMetrics(data, output, clip) });
      trainedTokens += output.trainedTokens;
    }
  }
  const last = updates[updates.length - 1];
  return {
    'actor/learning_rate': learningRate,
    'tokens/trained': trainedTokens,
    ...(last && {
      'actor/updates': updatesCount,
      'actor/loss': meanOf(updates.map(({ loss }) => loss)),
      'actor/grad_norm': meanOf(updates.map(({ gradNorm }) => gradNorm)),
      'actor/entropy': meanOf(updates.map(({ entropy }) => entropy)),
      'actor/ppo_kl': last.ppoKl,
      'actor/clip_fraction': last.clipFraction,
    }),
  };
}

function adamParams(update: GrpoConfig['update'], learningRate: number): AdamParams {
  const { beta1, beta2, eps, weightDecay, gradClipNorm } = update;
  return { learningRate, beta1, beta2, eps, weightDecay, gradClipNorm };
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

function advantageMetrics({ episodes }: Groups): Record<string, number> {
  const advantages = episodes.flat().map(({ trajectory }) => Math.abs(trajectory.advantage ?? 0));
  return {
    'advantage/degenerate_group_rate': episodes.filter(isDegenerateGroup).length / episodes.length,
    'advantage/absolute_mean': meanOf(advantages),
  };
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

function isEvaluated(step: number, { evaluation, steps }: GrpoConfig): boolean {
  return evaluation.everySteps > 0 && (step % evaluation.everySteps === 0 || step === steps);
}

/** Evaluation and probe of a step's checkpoint; the first time with the controls, on the same tasks. */
async function* evaluate(
  setup: EvaluationSetup,
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
