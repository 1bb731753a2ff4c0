import type { SamplingClient } from '@/contract/engine';
import type { GroupRollout, Recording } from '@/contract/recipes/policy-settings';
import type { RunSettings } from '@/contract/recipes/run-settings';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import type { Task } from '@/rl/environments/environment';
import { meanOf } from '@/rl/learning/advantages';
import { playEpisodes, type PlayedEpisode, type PlayRequest, type PlaySettings } from '@/rl/play';
import { hashSeed } from '@/rl/random';
import { freeResponder } from '@/rl/reply';
import { playDefaults } from './evaluation';
import { activityEvent } from './recipe';
import type { RunSetup } from './setup';

/** The settings of a recipe that plays groups. */
export type GroupSettings = RunSettings & { rollout: GroupRollout; recording: Recording };

/** The episodes of a step, [groups][groupSize]. */
export type Groups = PlayedEpisode[][];

interface GroupsRollout {
  groups: Groups;
  /** `time/rollout`, `time/environment`. */
  metrics: Record<string, number>;
}

/** Tasks of a step, one a group: those of the groups `first` and on. */
export function trainTasks(
  { suite, config }: RunSetup,
  step: number,
  { count, first = 0 }: { count: number; first?: number },
): Task[] {
  return Array.from({ length: count }, (_, index) =>
    suite.trainTask({ runSeed: config.seed, step: step - 1, group: first + index }),
  );
}

/**
 * Plays `groupSize` episodes of each task with the weights of checkpoint `step - 1`; `earlier` are the tasks of the groups
 * that the step has played before, from which the groups are numbered on.
 */
export async function* sampleGroups(
  setup: RunSetup<GroupSettings>,
  sampler: SamplingClient,
  step: number,
  tasks: readonly Task[] = trainTasks(setup, step, { count: setup.config.rollout.groups }),
  earlier: readonly Task[] = [],
): AsyncGenerator<RecipeEvent, GroupsRollout> {
  const { groupSize } = setup.config.rollout;
  const requests = groupRequests(tasks, earlier, { seed: setup.config.seed, step, groupSize });
  const { episodes, metrics } = yield* sampleEpisodes(setup, sampler, step, requests);
  return { groups: inGroups(episodes, groupSize), metrics };
}

/** `groupSize` episodes of each task; `step` from 1. No two of a step are played with one seed. */
export function groupRequests(
  tasks: readonly Task[],
  earlier: readonly Task[],
  { seed, step, groupSize }: { seed: number; step: number; groupSize: number },
): PlayRequest<Task>[] {
  const drawn = [...earlier, ...tasks];
  return tasks.flatMap((task, index) => {
    const group = earlier.length + index;
    const occurrence = drawn.slice(0, group).filter(({ id }) => id === task.id).length;
    // A task's first group keeps the seeds of runs recorded before a repeated one had any of its own.
    const again = occurrence > 0 ? [occurrence] : [];
    return Array.from({ length: groupSize }, (_, sample) => ({
      task,
      group,
      sample,
      seed: hashSeed(seed, 'train', step - 1, task.id, sample, ...again),
    }));
  });
}

/** Episodes in the order of their requests, [groups][groupSize]. */
export function inGroups(episodes: readonly PlayedEpisode[], groupSize: number): Groups {
  return Array.from({ length: episodes.length / groupSize }, (_, group) =>
    episodes.slice(group * groupSize, (group + 1) * groupSize),
  );
}

/** Plays training episodes with the weights of checkpoint `step - 1`. */
export async function* sampleEpisodes(
  setup: RunSetup<RunSettings & { recording: Recording }>,
  sampler: SamplingClient,
  step: number,
  requests: readonly PlayRequest<Task>[],
  checkOpenings?: PlaySettings<Task>['checkOpenings'],
): AsyncGenerator<RecipeEvent, { episodes: PlayedEpisode[]; metrics: Record<string, number> }> {
  const { config, context } = setup;
  const { temperature, maxReplyTokens, maxTrajectoryTokens } = config.rollout;
  const started = context.clock();
  yield activityEvent(step, 'rollout', requests.length);
  const { episodes, environmentS } = await playEpisodes(requests, {
    ...playDefaults(setup),
    respond: freeResponder(
      sampler,
      { maxTokens: maxReplyTokens, temperature, stopTokens: context.engine.stopTokens },
      maxTrajectoryTokens,
    ),
    checkOpenings,
    lanes: sampler.lanes,
    step: step - 1,
    phase: 'train',
    decoding: 'sampled',
    records: ({ group }) => group !== null && group < config.recording.trainGroups,
  });
  const rolloutS = context.clock() - started;
  return { episodes, metrics: { 'time/rollout': rolloutS, 'time/environment': environmentS } };
}

/** The episodes of a group that were played to their end: a failed environment says nothing of the policy. */
export function soundOf(group: readonly PlayedEpisode[]): PlayedEpisode[] {
  return group.filter(({ trajectory }) => trajectory.stopReason !== 'error');
}

/** `scored` are the sound episodes of the groups. */
export function advantageMetrics(
  groups: Groups,
  scored: readonly { episode: PlayedEpisode; isDegenerate: boolean }[],
): Record<string, number> {
  const advantages = groups.flat().map(({ trajectory }) => Math.abs(trajectory.advantage ?? 0));
  return {
    'advantage/degenerate_group_rate': degenerateGroupRate(groups, scored),
    'advantage/absolute_mean': meanOf(advantages),
  };
}

/** Groups whose scores are all equal, or that have no sound episode, over groups. */
export function degenerateGroupRate(
  groups: Groups,
  scored: readonly { episode: PlayedEpisode; isDegenerate: boolean }[],
): number {
  const differing = new Set(scored.flatMap((each) => (each.isDegenerate ? [] : [each.episode])));
  return groups.filter((group) => !group.some((episode) => differing.has(episode))).length / groups.length;
}

/** All trajectories of a step, and those whose records are kept. */
export function trajectoriesOf(
  groups: Groups,
  { recording }: Pick<GroupSettings, 'recording'>,
): { trajectories: Trajectory[]; recorded: Trajectory[] } {
  const all = groups.flat().map(({ trajectory }) => trajectory);
  return { trajectories: all, recorded: groups.slice(0, recording.trainGroups).flat().map(withTeacher) };
}

/** A record with what a teacher made of its replies, where it scored them: the acting calls are its turns after the given ones. */
function withTeacher({ trajectory, calls }: PlayedEpisode): Trajectory {
  const acting = calls.filter(({ call }) => call === 'action');
  if (acting.every(({ teacherLogprobs }) => teacherLogprobs === undefined)) return trajectory;
  const turns = trajectory.turns.map((turn, index) => {
    const teacherLogprobs = acting[index - trajectory.givenTurns]?.teacherLogprobs;
    const { tokens } = turn;
    if (!tokens || teacherLogprobs?.length !== tokens.ids.length) return turn;
    return { ...turn, tokens: { ...tokens, teacherLogprobs } };
  });
  return { ...trajectory, turns };
}

/** What was sampled is told although the step ends without its update. */
export function* toldTrajectories(groups: Groups, settings: GroupSettings): Generator<RecipeEvent> {
  for (const trajectory of trajectoriesOf(groups, settings).recorded)
    yield { kind: 'trajectory:finished', trajectory };
}
