/**
 * GRPO on turns of a text world (group relative policy optimisation, arXiv 2402.03300), with the options of
 * AgentGym-RL (advantages over the sample standard deviation, symmetric clip, k3 KL and entropy in the loss,
 * mean over sequences; ScalingInter's turn cap that grows in stages), of verl (clip higher, dual clip, four loss
 * aggregations), and of verl-agent's ALFWorld form (every turn a row with its own penalty, statistics over rows). A turn is
 * a training row, or a whole episode where the scaffold's history only grows. Page: docs/recipes/grpo.md.
 */
import type { GrpoConfig } from '@/contract/recipes/grpo';
import type { RecipeEvent } from '@/contract/run-events';
import { permuterOf, rowsOfScored, scoreGroups } from './group-scores';
import { advantageMetrics, sampleGroups, trajectoriesOf } from './groups';
import { horizonOf } from './horizon';
import { updatePolicy } from './policy-update';
import type { RecipeContext } from './recipe';
import { setUp } from './setup';
import { trainingLoop } from './training-loop';

export async function* trainGrpo(config: GrpoConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const horizonAt = horizonOf(setup);

  yield* trainingLoop(setup, async function* (sampler, step) {
    const horizon = await horizonAt(step);
    const { groups, metrics } = yield* sampleGroups(horizon, sampler, step);
    const scored = scoreGroups(groups, config);
    const rows = rowsOfScored(scored, config.advantage, permuterOf(config, step), config.update.epochs);
    const update = yield* updatePolicy(setup, rows, step);
    return {
      ...trajectoriesOf(groups, config),
      metrics: {
        ...metrics,
        'rollout/max_turns': horizon.config.environment.maxTurns,
        ...advantageMetrics(groups, scored),
        ...update,
      },
    };
  });
}
