/**
 * GRPO on turns of a text world (group relative policy optimisation, arXiv 2402.03300), with the options of
 * AgentGym-RL (advantages over the sample standard deviation, symmetric clip, k3 KL and entropy in the loss,
 * mean over sequences) and of agentic-rl-lab's ALFWorld chapter (mean-only advantages, a penalty for each invalid
 * action). A turn is a training row, or a whole episode where the scaffold's history only grows. Left out: dual clip and
 * the other loss aggregations. Page: docs/recipes/grpo.md.
 */
import type { GrpoConfig } from '@/contract/recipes/grpo';
import type { RecipeEvent } from '@/contract/run-events';
import { groupAdvantages } from '@/rl/learning/advantages';
import { rowsOf, type Row } from '@/rl/learning/rows';
import { createRandom, hashSeed } from '@/rl/random';
import {
  advantageMetrics,
  isDegenerateGroup,
  sampleGroups,
  soundOf,
  trajectoriesOf,
  type Groups,
} from './groups';
import { updatePolicy } from './policy-update';
import type { RecipeContext } from './recipe';
import { setUp } from './setup';
import { trainingLoop } from './training-loop';

export async function* trainGrpo(config: GrpoConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  yield* trainingLoop(setup, async function* (sampler, step) {
    const { groups, metrics } = yield* sampleGroups(setup, sampler, step);
    scoreTrajectories(groups, config);
    const update = yield* updatePolicy(setup, trainingRows(groups, config, step), step);
    return {
      ...trajectoriesOf(groups, config),
      metrics: { ...metrics, ...advantageMetrics(groups), ...update },
    };
  });
}

/** Writes each trajectory's shaped reward and advantage; those that ended in an error have none. */
function scoreTrajectories(groups: Groups, config: GrpoConfig): void {
  for (const group of groups.map(soundOf)) {
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
function trainingRows(groups: Groups, config: GrpoConfig, step: number): Row[] {
  const kept = groups
    .map(soundOf)
    .filter((group) => !(config.advantage.dropDegenerateGroups && isDegenerateGroup(group)))
    .flat();
  const advantages = kept.map(({ trajectory }) => trajectory.advantage ?? 0);
  const shown = config.advantage.permute
    ? createRandom(hashSeed(config.seed, 'permute', step)).shuffle(advantages)
    : advantages;
  return kept.flatMap(({ calls }, i) => rowsOf(calls, shown[i] ?? 0));
}
