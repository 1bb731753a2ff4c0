/**
 * Evaluation of a model behind an API on the tasks of a run's splits: nothing is trained. Tasks are played side by side, each
 * as a chat in the run's scaffold, and told in their order. A run that goes on after a stop has the same seeds, so that
 * what its worker was answered before is not asked again. Page: docs/recipes/endpoint-evaluation.md.
 */
import type { ChatEndpoint } from '@/contract/endpoint';
import { evaluationKey, type EvaluationResult } from '@/contract/evaluation';
import type { EndpointEvaluationConfig } from '@/contract/recipes/endpoint-evaluation';
import type { RecipeEvent } from '@/contract/run-events';
import type { PlayedTrajectory } from '@/contract/trajectory';
import { playChat } from '@/rl/endpoint/play-chat';
import type { Task } from '@/rl/environments/environment';
import { usageMetrics } from '@/rl/learning/cost';
import { countsSince } from '@/rl/learning/token-counts';
import { hashSeed } from '@/rl/random';
import {
  evaluationPoints,
  evaluationSettings,
  samplingSettings,
  sumsOf,
  taskSets,
  type TaskSet,
} from './evaluation';
import { warnOfFailures } from './failures';
import { activityEvent, pointsEvent, type RecipeContext } from './recipe';
import { setUp, type RunSetup } from './setup';
import { waitFor } from './waiting';

/** What is evaluated has no step of its own. */
const STEP = 0;

export async function* evaluateEndpoint(
  config: EndpointEvaluationConfig,
  context: RecipeContext,
): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const endpoint = context.openEndpoint(config.endpoint);
  const before = endpoint.counts();
  for (const set of taskSets(setup.suite, config.evaluation.finalSplits))
    for (const decoding of config.evaluation.decodings)
      if (!context.signal.aborted) yield* evaluateSet(setup, endpoint, set, decoding);
  const used = countsSince(before, endpoint.counts());
  yield pointsEvent(STEP, usageMetrics('evaluation', used, 0, config.cost));
  if (!context.signal.aborted) yield { kind: 'step:finished', step: 1, steps: 1 };
}

async function* evaluateSet(
  setup: RunSetup<EndpointEvaluationConfig>,
  endpoint: ChatEndpoint,
  set: TaskSet,
  decoding: EvaluationResult['decoding'],
): AsyncGenerator<RecipeEvent> {
  const { config, context } = setup;
  const started = context.clock();
  const identity = {
    ...evaluationSettings(setup, set),
    checkpoint: null,
    step: STEP,
    policy: 'checkpoint' as const,
    decoding,
  };
  const key = evaluationKey(identity);
  yield activityEvent(STEP, 'evaluation', set.tasks.length);
  const plays = sideBySide(set.tasks, config.endpoint.concurrency, async (task) => ({
    ...(await playTask(setup, endpoint, task, decoding)),
    evaluation: key,
  }));
  const trajectories: PlayedTrajectory[] = [];
  for (const play of plays) {
    const trajectory = yield* waitFor(play, endpoint, context.signal);
    if (!trajectory) break;
    trajectories.push(trajectory);
    yield { kind: 'trajectory:finished', trajectory };
    yield activityEvent(STEP, 'evaluation', set.tasks.length, trajectories.length);
  }
  if (trajectories.length < set.tasks.length) {
    yield* finishedAmong(plays.slice(trajectories.length));
    return;
  }
  const evaluation: EvaluationResult = {
    ...identity,
    ...samplingSettings(setup, decoding),
    maxReplyTokens: config.rollout.maxReplyTokens,
    maxPromptTokens: null,
    ...sumsOf(trajectories),
    seconds: context.clock() - started,
  };
  yield { kind: 'evaluation:finished', evaluation };
  yield* warnOfFailures(`the ${decoding} evaluation of ${set.split}`, trajectories);
  yield pointsEvent(STEP, evaluationPoints(evaluation));
}

/** Works on `atATime` items side by side: an item begins when the one so many before it has ended. */
function sideBySide<Item, Result>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result>[] {
  const begun: Promise<Result>[] = [];
  for (const [index, item] of items.entries()) {
    const ahead: Promise<unknown> = begun[index - atATime] ?? Promise.resolve();
    const own = ahead.then(
      () => work(item),
      () => work(item),
    );
    // It is waited for in its turn; until then its failure is nobody's.
    own.catch(() => undefined);
    begun.push(own);
  }
  return begun;
}

/** Tasks that were played to their end beyond one that was not: all of them have ended once the run is stopped. */
async function* finishedAmong(plays: readonly Promise<PlayedTrajectory>[]): AsyncGenerator<RecipeEvent> {
  for (const outcome of await Promise.allSettled(plays))
    if (outcome.status === 'fulfilled') yield { kind: 'trajectory:finished', trajectory: outcome.value };
}

function playTask(
  { config, context, suite, scaffold }: RunSetup<EndpointEvaluationConfig>,
  endpoint: ChatEndpoint,
  task: Task,
  decoding: EvaluationResult['decoding'],
): Promise<PlayedTrajectory> {
  const { temperature, topP } = samplingSettings({ config }, decoding);
  return playChat(
    {
      task,
      group: null,
      sample: 0,
      seed: hashSeed(config.seed, 'eval', STEP, task.id, 0),
    },
    {
      endpoint,
      environment: suite.environment,
      scaffold,
      temperature,
      topP,
      maxReplyTokens: config.rollout.maxReplyTokens,
      replaysReasoning: config.reasoningReplay,
      step: STEP,
      phase: 'eval',
      decoding,
      clock: context.clock,
    },
  );
}
