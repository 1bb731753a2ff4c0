import type { SamplingClient, SamplingParams } from '@/contract/engine';
import type { EvaluationResult, Policy } from '@/contract/evaluation';
import { evaluationKey, EVALUATION_METRICS, evaluationMetric, evaluationSeries } from '@/contract/evaluation';
import type { RunSettings } from '@/contract/recipes/run-settings';
import type { RecipeEvent } from '@/contract/run-events';
import type { PlayedTrajectory, Split, StopReason } from '@/contract/trajectory';
import type { Task } from '@/rl/environments/environment';
import type { EnvironmentSuite } from '@/rl/environments/suite';
import { splitHash } from '@/rl/environments/split-hash';
import { playEpisodes, type PlayRequest } from '@/rl/play';
import { hashSeed } from '@/rl/random';
import { freeResponder, maskedResponder, type Responder } from '@/rl/reply';
import { warnOfFailures } from './failures';
import { activityEvent, pointsEvent } from './recipe';
import type { RunSetup } from './setup';

/** The tasks of a split that an evaluation plays. */
export interface TaskSet {
  split: Split;
  tasks: readonly Task[];
}

/** The first tasks of each split's fixed list. */
export function taskSets(suite: EnvironmentSuite, sizes: RunSettings['evaluation']['splits']): TaskSet[] {
  return sizes.map(({ split, tasks }) => ({ split, tasks: suite.splitTasks(split, tasks) }));
}

type Decoding = EvaluationResult['decoding'];

/** Plays each task set with each decoding, until aborted; yields the trajectories, the result and its points. */
export async function* evaluateCheckpoint(
  setup: RunSetup,
  sampler: SamplingClient,
  step: number,
  sets: readonly TaskSet[],
): AsyncGenerator<RecipeEvent> {
  for (const set of sets) {
    for (const decoding of setup.config.evaluation.decodings) {
      if (setup.context.signal.aborted) return;
      const respond = responderOf(setup, sampler, decoding);
      yield* evaluatePolicy(setup, 'checkpoint', set, {
        decoding,
        step,
        respond,
        lanes: sampler.lanes,
      });
    }
  }
}

/** The base with its actions masked to the offered ones at decoding, as a control; none where a scaffold has no marker. */
export async function* evaluateMaskedBase(
  setup: RunSetup,
  sampler: SamplingClient,
  sets: readonly TaskSet[],
): AsyncGenerator<RecipeEvent> {
  const { actionMarker } = setup.scaffold;
  if (actionMarker === undefined) return;
  const { tokenizer } = setup.context.engine;
  const respond = maskedResponder(sampler, samplingParams(setup, 'sampled'), tokenizer, actionMarker);
  // Thought and action are two replies here, each with the tokens of one.
  const { maxReplyTokens } = setup.config.rollout;
  const maxPromptTokens =
    playDefaults(setup).maxPromptTokens - maxReplyTokens - tokenizer.encode(actionMarker).length;
  for (const set of sets)
    yield* evaluatePolicy(setup, 'masked_base', set, {
      decoding: 'sampled',
      step: 0,
      respond,
      lanes: sampler.lanes,
      maxPromptTokens,
    });
}

interface PolicyEvaluation {
  decoding: Decoding;
  step: number;
  respond: Responder;
  lanes: number;
  maxPromptTokens?: number;
}

async function* evaluatePolicy(
  setup: RunSetup,
  policy: Policy,
  set: TaskSet,
  { step, ...play }: PolicyEvaluation,
): AsyncGenerator<RecipeEvent> {
  const { config, context } = setup;
  const started = context.clock();
  yield activityEvent(step, 'evaluation', set.tasks.length);
  const { episodes } = await playEpisodes(
    set.tasks.map((task): PlayRequest<Task> => ({
      task,
      group: null,
      sample: 0,
      seed: hashSeed(config.seed, 'eval', step, task.id, 0),
    })),
    {
      ...playDefaults(setup),
      ...play,
      step,
      phase: 'eval',
      records: () => policy === 'checkpoint',
    },
  );
  const identity = {
    ...evaluationSettings(setup, set),
    checkpoint: null,
    step,
    policy,
    decoding: play.decoding,
  };
  const key = evaluationKey(identity);
  const trajectories = episodes.map((episode) => ({ ...episode.trajectory, evaluation: key }));
  if (policy === 'checkpoint')
    for (const trajectory of trajectories) yield { kind: 'trajectory:finished', trajectory };
  const evaluation: EvaluationResult = {
    ...identity,
    ...samplingSettings(setup, play.decoding),
    maxReplyTokens: config.rollout.maxReplyTokens,
    maxPromptTokens: play.maxPromptTokens ?? playDefaults(setup).maxPromptTokens,
    ...sumsOf(trajectories),
    seconds: context.clock() - started,
  };
  yield { kind: 'evaluation:finished', evaluation };
  yield* warnOfFailures(`the ${play.decoding} evaluation of ${set.split} at step ${step}`, trajectories);
  if (policy === 'checkpoint') yield pointsEvent(step, evaluationPoints(evaluation));
}

/** Each probe task played greedily and by several samples, to be laid side by side with other steps. */
export async function* playProbe(
  setup: RunSetup,
  sampler: SamplingClient,
  step: number,
): AsyncGenerator<RecipeEvent> {
  const { config } = setup;
  if (config.probe.tasks === 0) return;
  const tasks = setup.suite.splitTasks('valid_seen', config.probe.tasks);
  yield activityEvent(step, 'probe', tasks.length);
  for (const decoding of ['greedy', 'sampled'] as const) {
    const samples = decoding === 'greedy' ? 1 : config.probe.samples;
    const requests = tasks.flatMap((task) =>
      Array.from({ length: samples }, (_, sample): PlayRequest<Task> => ({
        task,
        group: null,
        sample,
        seed: hashSeed(config.seed, 'probe', step, task.id, sample),
      })),
    );
    const { episodes } = await playEpisodes(requests, {
      ...playDefaults(setup),
      respond: responderOf(setup, sampler, decoding),
      lanes: sampler.lanes,
      step,
      phase: 'probe',
      decoding,
      records: () => true,
    });
    const trajectories = episodes.map(({ trajectory }) => trajectory);
    for (const trajectory of trajectories) yield { kind: 'trajectory:finished', trajectory };
    yield* warnOfFailures(`the ${decoding} probe at step ${step}`, trajectories);
  }
}

/** How an evaluation or probe draws its tokens. */
export function samplingSettings({ config }: Pick<RunSetup, 'config'>, decoding: Decoding) {
  const { temperature, topK, topP } = config.evaluation;
  return decoding === 'greedy' ? { temperature: 0, topK: 0, topP: 1 } : { temperature, topK, topP };
}

function samplingParams(setup: RunSetup, decoding: Decoding): SamplingParams {
  const { maxReplyTokens } = setup.config.rollout;
  const { stopTokens } = setup.context.engine;
  return { maxTokens: maxReplyTokens, stopTokens, entropies: true, ...samplingSettings(setup, decoding) };
}

export function responderOf(setup: RunSetup, sampler: SamplingClient, decoding: Decoding): Responder {
  return freeResponder(sampler, samplingParams(setup, decoding), setup.config.rollout.maxTrajectoryTokens);
}

export function playDefaults({ suite, scaffold, context, config }: RunSetup) {
  const { tokenizer, stopTokens, contextTokens } = context.engine;
  const { maxPromptTokens, maxReplyTokens, maxTrajectoryTokens = Infinity } = config.rollout;
  return {
    environment: suite.environment,
    scaffold,
    tokenizer,
    stopTokens,
    maxPromptTokens: Math.min(maxPromptTokens, contextTokens - maxReplyTokens, maxTrajectoryTokens - 1),
    clock: context.clock,
  };
}

/** The settings that every figure of a split bears. */
export function evaluationSettings(
  { config, suite: { environment }, scaffold }: RunSetup,
  { split, tasks }: TaskSet,
) {
  return {
    split,
    splitHash: splitHash(tasks),
    environment: environment.id,
    environmentVersion: environment.version,
    environmentOptions: { ...environment.options },
    scaffold: scaffold.id,
    maxTurns: config.environment.maxTurns,
    seed: config.seed,
  };
}

/** What of a trajectory a count needs. */
export type Countable = Pick<
  PlayedTrajectory,
  'taskType' | 'success' | 'reward' | 'turnsCount' | 'invalidActions' | 'stopReason'
>;

/** Counts of a split's trajectories, in all and by task type in order of first appearance. */
export function sumsOf(trajectories: readonly Countable[]) {
  const count = (rows: readonly Countable[]) => ({
    n: rows.length,
    successes: rows.filter((row) => row.success).length,
    invalidActions: rows.reduce((sum, row) => sum + row.invalidActions, 0),
    turns: rows.reduce((sum, row) => sum + row.turnsCount, 0),
  });
  const countOf = (reason: StopReason) => trajectories.filter((row) => row.stopReason === reason).length;
  const taskTypes = [...new Set(trajectories.map((row) => row.taskType))];
  return {
    ...count(trajectories),
    rewardMean: trajectories.reduce((sum, row) => sum + row.reward, 0) / trajectories.length,
    errors: countOf('error'),
    truncated: countOf('turn_limit') + countOf('context_limit'),
    byTaskType: taskTypes.map((taskType) => ({
      taskType,
      ...count(trajectories.filter((row) => row.taskType === taskType)),
    })),
  };
}

/** The points that an evaluation's curves are drawn through. */
export function evaluationPoints(evaluation: EvaluationResult): Record<string, number> {
  return Object.fromEntries(
    EVALUATION_METRICS.map((metric) => [
      evaluationSeries(evaluation, metric),
      evaluationMetric(evaluation, metric),
    ]),
  );
}
