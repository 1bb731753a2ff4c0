import { meanOf } from '@/rl/learning/advantages';
import { sumOf } from '@/rl/learning/moments';
import type { PlayedEpisode } from '@/rl/play';
import { UNREADABLE, type NamedTurns } from './self-judgment';
import { turnGroupSizes, type ScoredStrategy } from './strategy-scores';

/** What strategies came to, and with how many others a turn was compared: one alone keeps its raw reward. */
export function strategyMetrics(scored: readonly ScoredStrategy[]): Record<string, number> {
  const sizes = turnGroupSizes(scored);
  const turns = sumOf(sizes.map(({ size, groups }) => size * groups));
  const lone = sizes.find(({ size }) => size === 1)?.groups ?? 0;
  return {
    'strata/strategy_reward_mean': meanOf(scored.map(({ reward }) => reward)),
    'strata/strategy_advantage_absolute_mean': meanOf(scored.map(({ advantage }) => Math.abs(advantage))),
    'strata/turn_group_size_mean': turns / sumOf(sizes.map(({ groups }) => groups)),
    'strata/lone_turn_rate': lone / turns,
  };
}

/** Whether the policy's judgment of its own turns could be had, and what it said; nothing where it was not asked for. */
export function judgmentMetrics(named: ReadonlyMap<PlayedEpisode, NamedTurns>): Record<string, number> {
  const judged = [...named].flatMap(([{ trajectory }, turns]) =>
    turns ? { named: turns.length, of: trajectory.turnsCount } : [],
  );
  const isAsked = judged.length > 0 || [...named.keys()].some(isUnreadable);
  return {
    ...(isAsked && { 'strata/judged_rate': judged.length / named.size }),
    ...(judged.length > 0 && {
      'strata/flagged_turn_rate':
        sumOf(judged.map((each) => each.named)) / sumOf(judged.map((each) => each.of)),
    }),
  };
}

function isUnreadable({ trajectory }: PlayedEpisode): boolean {
  return trajectory.flags.includes(UNREADABLE);
}
