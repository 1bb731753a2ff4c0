/**
 * GiGPO, group in group policy optimisation (arXiv 2505.10978), on turns of a text world: every turn is compared with
 * its task's group by what the episode came to, and, by what followed it, with the turns of the group that stood before
 * the same observation. So a step that all episodes share can be told good from bad without a critic. Form of verl-agent
 * (`gigpo/core_gigpo.py`). Page: docs/recipes/gigpo.md.
 */
import type { GigpoConfig } from '@/contract/recipes/gigpo';
import type { RewardSettings } from '@/contract/recipes/policy-settings';
import type { RecipeEvent } from '@/contract/run-events';
import { scoresOf } from '@/contract/trajectory-score';
import type { PlayedTrajectory } from '@/contract/trajectory';
import { isDegenerate, meanOf } from '@/rl/learning/advantages';
import { anchorGroups, gigpoAdvantages } from '@/rl/learning/gigpo';
import { indicesByGroup } from '@/rl/learning/grouping';
import { discountedFutureSums } from '@/rl/learning/returns';
import { permuterOf, rowsOfScored, type ScoredEpisode } from './group-scores';
import { advantageMetrics, sampleGroups, soundOf, trajectoriesOf, type Groups } from './groups';
import { updatePolicy } from './policy-update';
import type { RecipeContext } from './recipe';
import { setUp } from './setup';
import { trainingLoop } from './training-loop';

export async function* trainGigpo(config: GigpoConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);

  yield* trainingLoop(setup, async function* (sampler, step) {
    const { groups, metrics } = yield* sampleGroups(setup, sampler, step);
    const scored = groups.flatMap((group) => scoreGroup(group, config));
    const rows = rowsOfScored(
      scored,
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
        ...anchorMetrics(groups, config),
        ...update,
      },
    };
  });
}

/** Advantages of every turn of a group; writes each trajectory's shaped reward and mean advantage. */
export function scoreGroup(group: Groups[number], { reward, advantage }: GigpoConfig): ScoredEpisode[] {
  const sound = soundOf(group);
  const scores = sound.map(({ trajectory }) => scoresOf(trajectory, reward, 'turns'));
  const turns = sound.flatMap(({ trajectory }) => trajectory.turns);
  const advantages = gigpoAdvantages(
    {
      rewards: scores.flat(),
      groupIds: turns.map(() => 0),
      anchors: turns.map(({ observation }) => observation),
      stepReturns: sound.flatMap(({ trajectory }) =>
        discountedFutureSums(turnRewards(trajectory, reward), advantage.discount),
      ),
    },
    {
      scale: advantage.scale,
      stepWeight: advantage.stepWeight,
      similarityThreshold: advantage.similarity ?? undefined,
    },
  );
  const degenerate = isDegenerate(advantages);
  return sound.map((episode, index) => {
    const own = advantages.splice(0, episode.trajectory.turns.length);
    episode.trajectory.shapedReward = meanOf(scores[index] ?? []);
    episode.trajectory.advantage = meanOf(own);
    return { episode, advantages: own, isDegenerate: degenerate };
  });
}

/** What each turn earned: the environment's reward of the turn, or the win with the last; less the turn's own penalties. */
export function turnRewards(
  { turns, success }: Pick<PlayedTrajectory, 'turns' | 'success'>,
  settings: RewardSettings,
): number[] {
  const lost = settings.outcome === 'won-or-lost' ? -1 : 0;
  return turns.map(({ reward, valid, formatOk }, index) => {
    const atEnd = index === turns.length - 1 ? (success ? 1 : lost) : 0;
    const earned = settings.scale * (settings.outcome === 'environment' ? reward : atEnd);
    return earned - (valid ? 0 : settings.invalidActionPenalty) - (formatOk ? 0 : settings.formatPenalty);
  });
}

/** How many turns share a state: a turn alone in its own learns from the episode alone. */
function anchorMetrics(groups: Groups, { advantage }: GigpoConfig): Record<string, number> {
  const sizes = groups.flatMap((group) => {
    const observations = soundOf(group).flatMap(({ trajectory }) =>
      trajectory.turns.map(({ observation }) => observation),
    );
    const states = anchorGroups(
      observations,
      observations.map(() => 0),
      advantage.similarity ?? undefined,
    );
    return [...indicesByGroup(states).values()].map((turns) => turns.length);
  });
  const turns = sizes.reduce((sum, size) => sum + size, 0);
  return {
    'gigpo/state_turns_mean': meanOf(sizes),
    'gigpo/lone_turn_rate': sizes.filter((size) => size === 1).length / turns,
  };
}
