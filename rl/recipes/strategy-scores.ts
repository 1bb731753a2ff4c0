import type { StrataConfig } from '@/contract/recipes/strata';
import { scoresOf } from '@/contract/trajectory-score';
import { groupAdvantages, isDegenerate, isNegligible, meanOf } from '@/rl/learning/advantages';
import { groupSizeHistogram, type GroupSizeCount } from '@/rl/learning/grouping';
import { rowsOf, type Row } from '@/rl/learning/rows';
import { perTurnAdvantages, turnGroupId, type SteppedTrajectory } from '@/rl/learning/stepwise';
import { selfJudgedRewards, strategyReward } from '@/rl/learning/strata';
import type { PlayedEpisode } from '@/rl/play';
import type { Random } from '@/rl/random';
import type { ScoredEpisode } from './group-scores';
import { soundOf } from './groups';
import type { NamedTurns } from './self-judgment';
import type { PlayedStrategy } from './strategies';

/** What was learnt of a strategy and of its trajectories. */
export interface ScoredStrategy {
  strategy: PlayedStrategy;
  reward: number;
  /** Among the strategies of its task. */
  advantage: number;
  /** Its sound trajectories; each turn's advantage is over the same turn of the others. */
  scoredEpisodes: ScoredEpisode[];
  /** How many of those groups of turns have each size. */
  turnGroups: GroupSizeCount[];
}

type Scoring = Pick<StrataConfig, 'strategies' | 'judgment' | 'reward' | 'advantage' | 'rollout'>;

/**
 * Scores the strategies of one task and their trajectories, and writes each trajectory's shaped reward and advantage, means over
 * its turns. A strategy none of whose trajectories was played to its end is left out.
 */
export function scoreStrategies(
  strategies: readonly PlayedStrategy[],
  namedTurns: ReadonlyMap<PlayedEpisode, NamedTurns>,
  config: Scoring,
): ScoredStrategy[] {
  const sound = strategies
    .map((strategy) => ({ strategy, episodes: soundOf(strategy.episodes) }))
    .filter(({ episodes }) => episodes.length > 0);
  const rewards = sound.map(({ strategy: { draft }, episodes }) => {
    const reward = strategyReward(
      episodes.map((episode) => outcomeOf(episode, config)),
      config.strategies.topFraction,
    );
    const formatPenalty = draft.text === null ? config.reward.formatPenalty : 0;
    return reward - formatPenalty - lengthPenaltyOf(draft.call.reply.length, config);
  });
  const advantages = groupAdvantages(rewards, { scale: config.advantage.scale, singleton: 'raw' });
  return sound.map(({ strategy, episodes }, i) => ({
    strategy,
    reward: rewards[i] ?? NaN,
    advantage: advantages[i] ?? NaN,
    ...scoreRollouts(episodes, namedTurns, config),
  }));
}

/** The trajectory's reward, before anything is said of single turns. */
function outcomeOf({ trajectory }: PlayedEpisode, { reward }: Scoring): number {
  return meanOf(scoresOf(trajectory, reward, 'trajectories'));
}

function lengthPenaltyOf(tokens: number, { reward, rollout }: Scoring): number {
  const { lengthPenalty } = reward;
  if (!lengthPenalty || tokens <= lengthPenalty.threshold * rollout.maxReplyTokens) return 0;
  return lengthPenalty.penalty;
}

function scoreRollouts(
  episodes: readonly PlayedEpisode[],
  namedTurns: ReadonlyMap<PlayedEpisode, NamedTurns>,
  config: Scoring,
): Pick<ScoredStrategy, 'scoredEpisodes' | 'turnGroups'> {
  const stepped = episodes.map((episode): SteppedTrajectory => {
    const { turns, taskId } = episode.trajectory;
    const reward = outcomeOf(episode, config);
    const named = namedTurns.get(episode) ?? [];
    const judged = selfJudgedRewards(reward, turns.length, named, config.judgment?.penalty ?? 0);
    return {
      taskId,
      name: 'action',
      reward,
      turnRewards: judged.map((value, t) => value - lengthPenaltyOf(turns[t]?.replyTokens ?? 0, config)),
    };
  });
  const advantages = perTurnAdvantages(stepped, config.advantage.scale);
  const degenerate = isDegenerate(stepped.flatMap(({ turnRewards }) => turnRewards));
  const scoredEpisodes = episodes.map((episode, i) => {
    const own = advantages[i] ?? [];
    episode.trajectory.shapedReward = meanOf(stepped[i]?.turnRewards ?? []);
    episode.trajectory.advantage = meanOf(own);
    return { episode, advantages: own, isDegenerate: degenerate };
  });
  const turnGroups = groupSizeHistogram(
    stepped.flatMap((trajectory) => trajectory.turnRewards.map((_, turn) => turnGroupId(trajectory, turn))),
  );
  return { scoredEpisodes, turnGroups };
}

/** Strategies, trajectories and turns that have something to teach; a trajectory keeps the calls of its turns that do. */
export function withoutNegligible(scored: readonly ScoredStrategy[]): {
  strategies: ScoredStrategy[];
  scoredEpisodes: ScoredEpisode[];
} {
  const scoredEpisodes = scored.flatMap((strategy) => strategy.scoredEpisodes);
  return {
    strategies: scored.filter(({ advantage }) => !isNegligible(advantage)),
    scoredEpisodes: scoredEpisodes.map(({ episode, advantages, isDegenerate }) => ({
      episode: { ...episode, calls: episode.calls.filter((_, turn) => !isNegligible(advantages[turn] ?? 0)) },
      advantages: advantages.filter((advantage) => !isNegligible(advantage)),
      isDegenerate,
    })),
  };
}

/** Each strategy's call as a row; `permute`, the control, deals the advantages anew. */
export function strategyRows(scored: readonly ScoredStrategy[], permute: Random | null): Row[] {
  const own = scored.map(({ advantage }) => advantage);
  const dealt = permute ? permute.shuffle(own) : own;
  return scored.flatMap(({ strategy }, i) => rowsOf([strategy.draft.call], dealt[i] ?? NaN));
}

/** Groups of turns by size over all strategies, from small to large. */
export function turnGroupSizes(scored: readonly ScoredStrategy[]): GroupSizeCount[] {
  const counts = new Map<number, number>();
  for (const { size, groups } of scored.flatMap(({ turnGroups }) => turnGroups))
    counts.set(size, (counts.get(size) ?? 0) + groups);
  return [...counts].map(([size, groups]) => ({ size, groups })).sort((a, b) => a.size - b.size);
}

/** The histogram as a line of the log. */
export function turnGroupsText(scored: readonly ScoredStrategy[]): string {
  const sizes = turnGroupSizes(scored).map(({ size, groups }) => `${groups} of ${size}`);
  return `groups of turns by size: ${sizes.join(', ') || 'none'}`;
}
