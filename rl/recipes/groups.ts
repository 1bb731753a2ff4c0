import type { SamplingClient } from '@/contract/engine';
import type { GroupRollout, Recording } from '@/contract/recipes/policy-settings';
import type { RunSettings } from '@/contract/recipes/run-settings';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import type { Task } from '@/rl/environments/environment';
import { isDegenerate, meanOf } from '@/rl/learning/advantages';
import { playEpisodes, type PlayedEpisode, type PlayRequest } from '@/rl/play';
import { hashSeed } from '@/rl/random';
import { freeResponder } from '@/rl/reply';
import { playDefaults } from './evaluation';
import { activityEvent } from './recipe';
import type { RunSetup } from './setup';

/** The settings of a recipe that plays groups. */
export type GroupSettings = RunSettings & { rollout: GroupRollout; recording: Recording };

/** The episodes of a step, [groups][groupSize]. */
export type Groups = PlayedEpisode[][];

export interface GroupsRollout {
  groups: Groups;
  /** `time/rollout`, `time/environment`. */
  metrics: Record<string, number>;
}

/** Plays `groupSize` episodes of each of `groups` tasks with the weights of checkpoint `step - 1`. */
export async function* sampleGroups(
  setup: RunSetup<GroupSettings>,
  sampler: SamplingClient,
  step: number,
): AsyncGenerator<RecipeEvent, GroupsRollout> {
  const { config, context } = setup;
  const { groups, groupSize, temperature, maxReplyTokens } = config.rollout;
  const started = context.clock();
  yield activityEvent(step, 'rollout', groups * groupSize);
  const requests = Array.from({ length: groups }, (_, group) => {
    const task = setup.suite.trainTask({ runSeed: config.seed, step: step - 1, group });
    return Array.from({ length: groupSize }, (_, sample): PlayRequest<Task> => ({
      task,
      group,
      sample,
      seed: hashSeed(config.seed, 'train', step - 1, task.id, sample),
    }));
  }).flat();
  const { episodes, environmentS } = await playEpisodes(requests, {
    ...playDefaults(setup),
    respond: freeResponder(sampler, {
      maxTokens: maxReplyTokens,
      temperature,
      stopTokens: context.engine.stopTokens,
    }),
    lanes: sampler.lanes,
    step: step - 1,
    phase: 'train',
    decoding: 'sampled',
    records: ({ group }) => group !== null && group < config.recording.trainGroups,
  });
  return {
    groups: Array.from({ length: groups }, (_, group) =>
      episodes.slice(group * groupSize, (group + 1) * groupSize),
    ),
    metrics: { 'time/rollout': context.clock() - started, 'time/environment': environmentS },
  };
}

/** The episodes of a group that were played to their end: a failed environment says nothing of the policy. */
export function soundOf(group: readonly PlayedEpisode[]): PlayedEpisode[] {
  return group.filter(({ trajectory }) => trajectory.stopReason !== 'error');
}

/** Every shaped reward of the group is the same. */
export function isDegenerateGroup(group: readonly PlayedEpisode[]): boolean {
  return isDegenerate(soundOf(group).map(({ trajectory }) => trajectory.shapedReward ?? 0));
}

export function advantageMetrics(groups: Groups): Record<string, number> {
  const advantages = groups.flat().map(({ trajectory }) => Math.abs(trajectory.advantage ?? 0));
  return {
    'advantage/degenerate_group_rate': groups.filter(isDegenerateGroup).length / groups.length,
    'advantage/absolute_mean': meanOf(advantages),
  };
}

/** All trajectories of a step, and those whose records are kept. */
export function trajectoriesOf(
  groups: Groups,
  { recording }: GroupSettings,
): { trajectories: Trajectory[]; recorded: Trajectory[] } {
  const records = (some: Groups) => some.flat().map(({ trajectory }) => trajectory);
  return { trajectories: records(groups), recorded: records(groups.slice(0, recording.trainGroups)) };
}
