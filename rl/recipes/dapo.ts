/**
 * DAPO (arXiv 2503.14476) on turns of a text world: GRPO whose groups all teach. Tasks are drawn in equal shares of
 * their types and sampled until enough groups have rewards that differ; long replies are punished softly, and the ratio may
 * rise further than it may fall. Forms of verl (`recipe/dapo`), of verl-agent (`filter_group_data`) and of the BabyAI-Text
 * line's v1.2. Page: docs/recipes/dapo.md.
 */
import type { SamplingClient } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { DapoConfig } from '@/contract/recipes/dapo';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import type { Task } from '@/rl/environments/environment';
import { deviates, hasUnequalRewards } from '@/rl/learning/dynamic-sampling';
import { countedHere } from '@/rl/learning/counted-here';
import { overlongPenalty } from '@/rl/learning/reward-shaping';
import type { PlayedEpisode } from '@/rl/play';
import { balancedTasks } from './balanced-tasks';
import { permuterOf, rowsOfScored, scoreGroups, type ScoredEpisode } from './group-scores';
import {
  advantageMetrics,
  degenerateGroupRate,
  sampleGroups,
  soundOf,
  trainTasks,
  type Groups,
} from './groups';
import { updatePolicy } from './policy-update';
import type { RecipeContext } from './recipe';
import { setUp, type RunSetup } from './setup';
import { trainingLoop } from './training-loop';

export async function* trainDapo(config: DapoConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);

  yield* trainingLoop(setup, async function* (sampler, step) {
    const rollout = yield* sampleGroupsThatTeach(setup, sampler, step);
    if (rollout === null) return null;
    const { sampled, used, metrics } = rollout;
    const scored = score(used, config);
    const rows = rowsOfScored(
      scored,
      { dropDegenerateGroups: false },
      permuterOf(config, step),
      config.update.epochs,
    );
    const update = yield* updatePolicy(setup, rows, step);
    return {
      trajectories: recordsOf(sampled),
      recorded: recordsOf(used.slice(0, config.recording.trainGroups)),
      metrics: { ...advantageMetrics(used, scored), ...metrics, ...update },
    };
  });
}

interface DynamicRollout {
  /** Every group of the step. */
  sampled: Groups;
  /** Those of the update. */
  used: Groups;
  /** Times, `dapo/*`, and `advantage/degenerate_group_rate` of all that was sampled: of the update alone it says nothing. */
  metrics: Record<string, number>;
}

/**
 * Samples batch after batch until `rollout.groups` groups have rewards that differ. Null where the run was stopped with too
 * few.
 */
async function* sampleGroupsThatTeach(
  setup: RunSetup<DapoConfig>,
  sampler: SamplingClient,
  step: number,
): AsyncGenerator<RecipeEvent, DynamicRollout | null> {
  const { rollout, sampling } = setup.config;
  const { signal } = setup.context;
  const sampled: Groups = [];
  const kept: Groups = [];
  const scored: ScoredEpisode[] = [];
  const times: Record<string, number> = {};
  const played: Task[] = [];
  let batches = 0;
  while (batches < sampling.maxBatches && kept.length < rollout.groups) {
    if (batches > 0 && signal.aborted) return null;
    const tasks = batchTasks(setup, step, played.length);
    const batch = yield* sampleGroups(setup, sampler, step, tasks, played);
    played.push(...tasks);
    scored.push(...score(batch.groups, setup.config));
    sampled.push(...batch.groups);
    kept.push(...batch.groups.filter((group) => teaches(group, sampling.keep)));
    for (const [name, value] of Object.entries(batch.metrics)) times[name] = (times[name] ?? 0) + value;
    batches++;
  }
  return {
    sampled,
    used: filledUp({ kept, sampled }, setup.config, step),
    metrics: {
      ...times,
      'dapo/batches': batches,
      'dapo/sampled_groups': sampled.length,
      'dapo/kept_group_rate': kept.length / sampled.length,
      'advantage/degenerate_group_rate': degenerateGroupRate(sampled, scored),
    },
  };
}

/** A batch is chosen among so many times its number of tasks, so that each type has enough. */
const CANDIDATES_A_TASK = 8;

/** The tasks of the groups `first` and on. */
function batchTasks(setup: RunSetup<DapoConfig>, step: number, first: number): Task[] {
  const { batchGroups: count, balanceTaskTypes } = setup.config.sampling;
  if (!balanceTaskTypes) return trainTasks(setup, step, { count, first });
  const wide = { count: count * CANDIDATES_A_TASK, first: first * CANDIDATES_A_TASK };
  return balancedTasks(trainTasks(setup, step, wide), count);
}

function teaches(group: readonly PlayedEpisode[], keep: DapoConfig['sampling']['keep']): boolean {
  const rewards = soundOf(group).map(({ trajectory }) => trajectory.shapedReward ?? NaN);
  return keep === 'deviation' ? deviates(rewards) : hasUnequalRewards(rewards);
}

/**
 * The groups of the update, those that teach first, and what is done where they are too few. Throws `invalid_input` where the
 * config says so.
 */
export function filledUp<Group>(
  { kept, sampled }: { kept: readonly Group[]; sampled: readonly Group[] },
  { rollout, sampling }: Pick<DapoConfig, 'rollout' | 'sampling'>,
  step: number,
): Group[] {
  if (kept.length >= rollout.groups || sampling.whenShort === 'train-on-kept')
    return kept.slice(0, rollout.groups);
  if (sampling.whenShort === 'keep-all')
    return [...kept, ...sampled.filter((group) => !kept.includes(group))].slice(0, rollout.groups);
  throw new AppError(
    'invalid_input',
    `step ${step}: ${kept.length} of ${sampled.length} groups have rewards that differ after ${sampling.maxBatches} ` +
      `batches, expected ${rollout.groups}; raise sampling.maxBatches, or choose tasks that are neither all won nor all lost`,
  );
}

function score(groups: Groups, { reward, advantage }: DapoConfig): ScoredEpisode[] {
  const { overlong } = reward;
  return scoreGroups(groups, {
    reward,
    advantage: { scale: advantage.scale, over: 'trajectories' },
    bonus: ({ replyTokens }) => (overlong ? overlongPenalty(countedHere(replyTokens), overlong) : 0),
  });
}

function recordsOf(groups: Groups): Trajectory[] {
  return groups.flat().map(({ trajectory }) => trajectory);
}
