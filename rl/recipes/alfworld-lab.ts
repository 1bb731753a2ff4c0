/**
 * agentic-rl-lab's chapter 08 on turns of a text world: several plays of one game from one first state, a trajectory worth
 * its win less a tenth for every invalid action, advantages over the game's mean alone, one clipped step a batch, summed
 * over tokens. Trajectories as good as their game's mean are left out; where all are, there is no update. Source:
 * KMnO4-zx/agentic-rl-lab, `08-alfworld`, commit 5fc44d8. Page: docs/recipes/alfworld-lab.md.
 */
import type { AlfworldLabConfig } from '@/contract/recipes/alfworld-lab';
import type { RewardSettings } from '@/contract/recipes/policy-settings';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { isNegligible, meanOf } from '@/rl/learning/advantages';
import { hashSeed } from '@/rl/random';
import { permuterOf, rowsOfScored, scoreGroups, type ScoredEpisode } from './group-scores';
import {
  advantageMetrics,
  inGroups,
  sampleEpisodes,
  trainTasks,
  trajectoriesOf,
  type Groups,
} from './groups';
import { updatePolicy } from './policy-update';
import type { RecipeContext } from './recipe';
import { checkSameOpenings } from './same-openings';
import { setUp } from './setup';
import { trainingLoop } from './training-loop';

export async function* trainAlfworldLab(
  config: AlfworldLabConfig,
  context: RecipeContext,
): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const { groups: count, groupSize, seeds } = config.rollout;

  yield* trainingLoop(setup, async function* (sampler, step) {
    const drawnAt = seeds === 'same' ? 0 : step - 1;
    const requests = trainTasks(setup, step, { count }).flatMap((task, group) =>
      Array.from({ length: groupSize }, (_, sample) => ({
        task,
        group,
        sample,
        seed: hashSeed(config.seed, 'train', drawnAt, group, sample),
      })),
    );
    const { episodes, metrics } = yield* sampleEpisodes(setup, sampler, step, requests, checkSameOpenings);
    const groups = inGroups(episodes, groupSize);
    const scored = scoreLabGroups(groups, config);
    for (const { episode } of scored) episode.trajectory.trainedTokens = 0;
    const taught = scored.filter(({ advantages }) => !advantages.every(isNegligible));
    const rows = rowsOfScored(
      taught,
      { dropDegenerateGroups: false },
      permuterOf(config, step),
      config.update.epochs,
    );
    const update = yield* updatePolicy(setup, rows, step);
    return {
      ...trajectoriesOf(groups, config),
      metrics: {
        ...metrics,
        ...advantageMetrics(groups, scored),
        ...update,
        'lab/update_skipped': Number(rows.length === 0),
        'lab/skipped_trajectory_rate': 1 - taught.length / scored.length,
        'lab/trajectory_rows_mean': rows.length / taught.length,
        ...trajectoryMetrics(groups),
      },
    };
  });
}

/** 1 for a win, which is all that a game gives. */
const OUTCOME: RewardSettings = {
  outcome: 'won',
  scale: 1,
  invalidActionPenalty: 0,
  formatPenalty: 0,
  formatReward: 0,
};

/** Advantages of the trajectories, R - mean of their game; writes each trajectory's shaped reward and advantage. */
export function scoreLabGroups(
  groups: Groups,
  { reward }: Pick<AlfworldLabConfig, 'reward'>,
): ScoredEpisode[] {
  return scoreGroups(groups, {
    reward: OUTCOME,
    advantage: { scale: 'none', over: 'trajectories' },
    bonus: (trajectory) => -reward.invalidActionPenalty * invalidActionsOf(trajectory),
  });
}

/** Turns whose reply broke the format or whose action was not in the list shown, whatever the environment made of it. */
function invalidActionsOf({ turns }: Trajectory): number {
  return turns.filter(({ formatOk, admissible }) => !(formatOk && admissible)).length;
}

function trajectoryMetrics(groups: Groups): Record<string, number> {
  const trajectories = groups.flat().map(({ trajectory }) => trajectory);
  const isCut = ({ stopReason }: Trajectory) => stopReason === 'turn_limit' || stopReason === 'context_limit';
  return {
    'lab/invalid_actions_mean': meanOf(trajectories.map(invalidActionsOf)),
    'lab/truncated_rate': meanOf(trajectories.map((trajectory) => Number(isCut(trajectory)))),
  };
}
