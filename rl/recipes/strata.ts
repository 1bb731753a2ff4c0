/**
 * StraTA, strategic trajectory abstraction (arXiv 2605.06642), on turns of a text world: the policy writes strategies for a
 * task, those that lie far apart are played some times each, a strategy is worth its best trajectories, and a turn is compared
 * with the same turn of the other trajectories of its strategy (rLLM's `per_step`). The policy may judge its own turns. Source
 * of what is public: the paper as others tell it, and rLLM v0.2.1. Page: docs/recipes/strata.md.
 */
import type { StrataConfig } from '@/contract/recipes/strata';
import type { RecipeEvent } from '@/contract/run-events';
import { permuterOf, rowsOfScored } from './group-scores';
import { advantageMetrics } from './groups';
import { updatePolicy } from './policy-update';
import { logEvent, type RecipeContext } from './recipe';
import { judgeOwnTurns } from './self-judgment';
import { setUp } from './setup';
import { sampleStrategies } from './strategies';
import { judgmentMetrics, strategyMetrics } from './strategy-metrics';
import { scoreStrategies, strategyRows, turnGroupsText, withoutNegligible } from './strategy-scores';
import { trainingLoop } from './training-loop';

export async function* trainStrata(
  config: StrataConfig,
  context: RecipeContext,
): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const embedder = config.strategies.selection === 'farthest' ? await context.openEmbedder() : null;
  if (embedder) yield logEvent('info', `how alike strategies are is measured by ${embedder.name}`);

  yield* trainingLoop(setup, async function* (sampler, step) {
    const { tasks, failed, metrics } = yield* sampleStrategies(setup, embedder, sampler, step);
    const played = tasks.flat();
    const episodes = played.flatMap((strategy) => strategy.episodes);
    const named = config.judgment ? await judgeOwnTurns(setup, sampler, step, episodes) : [];
    const namedTurns = new Map(episodes.map((episode, i) => [episode, named[i] ?? null]));
    const scored = tasks.flatMap((strategies) => scoreStrategies(strategies, namedTurns, config));
    const scoredEpisodes = scored.flatMap((strategy) => strategy.scoredEpisodes);
    const taught = config.advantage.dropNegligible
      ? withoutNegligible(scored)
      : { strategies: scored, scoredEpisodes };
    const permute = permuterOf(config, step);
    const rows = [
      ...strategyRows(taught.strategies, permute),
      ...rowsOfScored(taught.scoredEpisodes, { dropDegenerateGroups: false }, permute, config.update.epochs),
    ];
    const update = yield* updatePolicy(setup, rows, step);
    yield logEvent('info', `step ${step}: ${turnGroupsText(scored)}`);
    return {
      trajectories: [...episodes, ...failed].map(({ trajectory }) => trajectory),
      recorded: played
        .filter(({ group }) => group < config.recording.trainGroups)
        .flatMap((strategy) => strategy.episodes.map(({ trajectory }) => trajectory)),
      metrics: {
        ...metrics,
        ...advantageMetrics(
          played.map((strategy) => strategy.episodes),
          scoredEpisodes,
        ),
        ...strategyMetrics(scored),
        ...judgmentMetrics(namedTurns),
        ...update,
      },
    };
  });
}
