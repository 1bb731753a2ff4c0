/**
 * Evaluation of checkpoints that another run saved: each on every split, under every decoding and seed. Tasks are played
 * some at a time and told at once; an attempt that goes on plays what is not stored yet. Nothing is trained.
 * Page: docs/recipes/checkpoint-evaluation.md.
 */
import type { SamplingClient } from '@/contract/engine';
import type { EvaluationResult } from '@/contract/evaluation';
import {
  evaluationUnits,
  type CheckpointEvaluationConfig,
  type EvaluationUnit,
} from '@/contract/recipes/checkpoint-evaluation';
import type { RecipeEvent } from '@/contract/run-events';
import type { PlayedTrajectory } from '@/contract/trajectory';
import type { Task } from '@/rl/environments/environment';
import { usageMetrics } from '@/rl/learning/cost';
import { playEpisodes, type PlayRequest } from '@/rl/play';
import { hashSeed } from '@/rl/random';
import type { EarlierEvaluations } from './earlier-evaluations';
import {
  evaluationPoints,
  evaluationSettings,
  playDefaults,
  responderOf,
  samplingSettings,
  sumsOf,
  type Countable,
} from './evaluation';
import { warnOfFailures } from './failures';
import { activityEvent, pointsEvent, type RecipeContext } from './recipe';
import { setUp, type RunSetup } from './setup';

type Setup = RunSetup<CheckpointEvaluationConfig>;

export async function* evaluateCheckpoints(
  config: CheckpointEvaluationConfig,
  context: RecipeContext,
): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const earlier = await context.earlierEvaluations();
  const units = evaluationUnits(config);
  const progress = new Progress(units);
  const results = new Map(earlier?.finished);
  for (const unit of units) if (results.has(unit.key)) progress.add(unit.tasks);

  for (const checkpoint of config.checkpoints) {
    const own = units.filter((unit) => unit.checkpoint === checkpoint);
    const open = own.filter(({ key }) => !results.has(key));
    if (open.length === 0) continue;
    const sampler = await context.openCheckpoint(checkpoint);
    for (const unit of open) {
      const played = yield* playUnit(setup, sampler, unit, { earlier, progress });
      if (played === null) break;
      results.set(unit.key, played);
      const alike = own.filter((each) => each.split === unit.split && each.decoding === unit.decoding);
      // The points come first: a result that is stored is not played again, so nothing would be left to give them.
      const overSeeds = alike.flatMap(({ key }) => results.get(key) ?? []);
      if (overSeeds.length === alike.length)
        yield pointsEvent(unit.step, evaluationPoints(pooled(played, overSeeds)));
      yield { kind: 'evaluation:finished', evaluation: played };
    }
    yield pointsEvent(checkpoint.step, usageMetrics('evaluation', sampler.counts(), 0, config.cost));
    if (context.signal.aborted) return;
  }
  yield { kind: 'step:finished', step: 1, steps: 1 };
}

/** Trajectories played and to be played, over all evaluations of the run. */
class Progress {
  private done = 0;
  private readonly of: number;
  constructor(units: readonly EvaluationUnit[]) {
    this.of = units.reduce((sum, { tasks }) => sum + tasks, 0);
  }
  add(trajectories: number): void {
    this.done += trajectories;
  }
  event(step: number): RecipeEvent {
    return activityEvent(step, 'evaluation', this.of, this.done);
  }
}

/** Plays what of an evaluation is not stored; returns its result, or null where the run was stopped before its end. */
async function* playUnit(
  setup: Setup,
  sampler: SamplingClient,
  unit: EvaluationUnit,
  { earlier, progress }: { earlier: EarlierEvaluations | null; progress: Progress },
): AsyncGenerator<RecipeEvent, EvaluationResult | null> {
  const { config, context, suite } = setup;
  const started = context.clock();
  const tasks = suite.splitTasks(unit.split, unit.tasks);
  const counted = new Map<string, Countable>(await earlier?.trajectoriesOf(unit.key));
  const fresh: PlayedTrajectory[] = [];
  progress.add(counted.size);
  yield progress.event(unit.step);
  for (let first = 0; first < tasks.length; first += config.tasksAtOnce) {
    const batch = tasks.slice(first, first + config.tasksAtOnce);
    if (batch.every(({ id }) => counted.has(id))) continue;
    if (context.signal.aborted) return null;
    // Of a batch that was stored in part, all is played: what is beside a task is part of the engine's arithmetic.
    for (const trajectory of await playBatch(setup, sampler, unit, batch)) {
      if (counted.has(trajectory.taskId)) continue;
      counted.set(trajectory.taskId, trajectory);
      fresh.push(trajectory);
      yield { kind: 'trajectory:finished', trajectory };
      progress.add(1);
    }
    yield progress.event(unit.step);
  }
  const { checkpoint, step, decoding, split } = unit;
  yield* warnOfFailures(`the ${decoding} evaluation of ${split} at step ${step}, seed ${unit.seed}`, fresh);
  return {
    ...evaluationSettings(setup, { split, tasks }),
    ...{ checkpoint, step, policy: unit.policy, decoding, seed: unit.seed },
    ...samplingSettings(setup, decoding),
    maxReplyTokens: config.rollout.maxReplyTokens,
    maxPromptTokens: playDefaults(setup).maxPromptTokens,
    ...sumsOf(tasks.flatMap(({ id }) => counted.get(id) ?? [])),
    seconds: context.clock() - started,
  };
}

async function playBatch(
  setup: Setup,
  sampler: SamplingClient,
  { key, step, seed, decoding }: EvaluationUnit,
  tasks: readonly Task[],
): Promise<PlayedTrajectory[]> {
  const requests = tasks.map((task): PlayRequest<Task> => ({
    task,
    group: null,
    sample: 0,
    // As an evaluation in training draws: the run's own seed repeats its figure.
    seed: hashSeed(seed, 'eval', step, task.id, 0),
  }));
  const { episodes } = await playEpisodes(requests, {
    ...playDefaults(setup),
    respond: responderOf(setup, sampler, decoding),
    lanes: sampler.lanes,
    step,
    phase: 'eval',
    decoding,
    records: () => true,
  });
  return episodes.map(({ trajectory }) => ({ ...trajectory, evaluation: key }));
}

/** Sums over the seeds of one checkpoint, split and decoding, for the run's curves: each has the same tasks. */
function pooled(last: EvaluationResult, results: readonly EvaluationResult[]): EvaluationResult {
  const rows = results.map(({ n, rewardMean, ...counts }) => ({
    ...counts,
    n,
    reward: rewardMean === null ? null : n * rewardMean,
  }));
  const sum = (of: (row: (typeof rows)[number]) => number | null) =>
    rows.reduce((total, row) => total + (of(row) ?? NaN), 0);
  const n = sum((row) => row.n);
  return {
    ...last,
    n,
    successes: sum(({ successes }) => successes),
    invalidActions: sum(({ invalidActions }) => invalidActions),
    turns: sum(({ turns }) => turns),
    rewardMean: sum(({ reward }) => reward) / n,
  };
}
