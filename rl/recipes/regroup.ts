/**
 * Groups from a middle turn, the BabyAI-Text line's v1.3: one episode of each task is played, put back to the exact
 * state of a random turn of it, and continued from there `groupSize` times; GRPO on the continuations gives credit to
 * what was done from that turn on. The source reports that it failed, for want of successes on the hard tasks. Page:
 * docs/recipes/regroup.md.
 */
import type { RegroupConfig } from '@/contract/recipes/regroup';
import type { RecipeEvent } from '@/contract/run-events';
import { meanOf } from '@/rl/learning/advantages';
import { callsBefore } from '@/rl/call-tokens';
import type { PlayedEpisode } from '@/rl/play';
import { createRandom, hashSeed } from '@/rl/random';
import { permuterOf, rowsOfScored, scoreGroups } from './group-scores';
import { advantageMetrics, inGroups, sampleEpisodes, soundOf, trainTasks } from './groups';
import { updatePolicy } from './policy-update';
import type { RecipeContext } from './recipe';
import { setUp } from './setup';
import { trainingLoop } from './training-loop';

export async function* trainRegroup(
  config: RegroupConfig,
  context: RecipeContext,
): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const { groups: count, groupSize } = config.rollout;

  yield* trainingLoop(setup, async function* (sampler, step) {
    const tasks = trainTasks(setup, step, { count });
    const seedOf = (purpose: string, taskId: string, sample: number) =>
      hashSeed(config.seed, purpose, step - 1, taskId, sample);

    const origins = yield* sampleEpisodes(
      setup,
      sampler,
      step,
      tasks.map((task) => ({ task, group: null, sample: 0, seed: seedOf('origin', task.id, 0) })),
    );
    const turns = origins.episodes.map((origin, group) => forkTurn(origin, config, step, group));
    const continued = yield* sampleEpisodes(
      setup,
      sampler,
      step,
      tasks.flatMap((task, group) => {
        const origin = origins.episodes[group];
        const from = origin && turns[group] ? callsBefore(origin, turns[group]) : undefined;
        return Array.from({ length: groupSize }, (_, sample) => ({
          task,
          group,
          sample,
          seed: seedOf('train', task.id, sample),
          from,
        }));
      }),
    );
    const groups = inGroups(continued.episodes, groupSize);
    const scored = scoreGroups(groups, {
      ...config,
      advantage: { ...config.advantage, over: 'trajectories' },
    });
    const rows = rowsOfScored(scored, config.advantage, permuterOf(config, step), config.update.epochs);
    const update = yield* updatePolicy(setup, rows, step);
    return {
      trajectories: origins.episodes.map(({ trajectory }) => trajectory),
      recorded: groups
        .slice(0, config.recording.trainGroups)
        .flatMap((group) => group.map(({ trajectory }) => trajectory)),
      metrics: {
        ...added(origins.metrics, continued.metrics),
        'regroup/turn_mean': meanOf(turns),
        'regroup/continued_success_rate': meanOf(
          soundOf(continued.episodes).map(({ trajectory }) => Number(trajectory.success)),
        ),
        ...advantageMetrics(groups, scored),
        ...update,
      },
    };
  });
}

/** The turn that a group sets in at: any but the first, where an episode has more than one. */
function forkTurn(
  { trajectory }: PlayedEpisode,
  { seed, fork }: RegroupConfig,
  step: number,
  group: number,
): number {
  const { turnsCount, stopReason } = trajectory;
  if (fork.turn === 'first' || turnsCount < 2 || stopReason === 'error') return 0;
  return 1 + createRandom(hashSeed(seed, 'fork', step, group)).integer(turnsCount - 1);
}

function added(first: Record<string, number>, second: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [name, value + (second[name] ?? 0)]),
  );
}
