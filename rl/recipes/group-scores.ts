import type { GroupAdvantage } from '@/contract/recipes/grpo';
import type { RewardSettings } from '@/contract/recipes/policy-settings';
import type { Trajectory } from '@/contract/trajectory';
import { scoresOf } from '@/contract/trajectory-score';
import { groupAdvantages, isDegenerate, meanOf } from '@/rl/learning/advantages';
import { rowsOf, type Row } from '@/rl/learning/rows';
import { trainedTokensOf } from '@/rl/learning/token-counts';
import type { PlayedEpisode } from '@/rl/play';
import { createRandom, hashSeed, type Random } from '@/rl/random';
import { soundOf, type Groups } from './groups';

/** What was learnt of a group's episode: one advantage for all its calls, or one for each turn. */
export interface ScoredEpisode {
  episode: PlayedEpisode;
  advantages: number[];
  /** All scores of its group are equal. */
  isDegenerate: boolean;
}

export interface GroupScoring {
  reward: RewardSettings;
  advantage: Pick<GroupAdvantage, 'scale' | 'over'>;
  /** Added to every score of a trajectory. */
  bonus?: (trajectory: Trajectory) => number;
}

/**
 * Scores every sound episode against its group and writes its trajectory's shaped reward and advantage, the means over
 * its turns where they are scored one by one; those that ended in an error have none.
 */
export function scoreGroups(
  groups: Groups,
  { reward, advantage, bonus = () => 0 }: GroupScoring,
): ScoredEpisode[] {
  return groups.map(soundOf).flatMap((group) => {
    const scores = group.map(({ trajectory }) =>
      scoresOf(trajectory, reward, advantage.over).map((score) => score + bonus(trajectory)),
    );
    const advantages = groupAdvantages(scores.flat(), { scale: advantage.scale });
    const degenerate = isDegenerate(scores.flat());
    return group.map((episode, i) => {
      const own = advantages.splice(0, scores[i]?.length ?? 0);
      episode.trajectory.shapedReward = meanOf(scores[i] ?? []);
      episode.trajectory.advantage = meanOf(own);
      return { episode, advantages: own, isDegenerate: degenerate };
    });
  });
}

/** What deals a step's advantages anew, in the control that must not learn; null elsewhere. */
export function permuterOf(
  { seed, advantage }: { seed: number; advantage: { permute: boolean } },
  step: number,
): Random | null {
  return advantage.permute ? createRandom(hashSeed(seed, 'permute', step)) : null;
}

/**
 * The calls of every episode that teaches something, as rows; `permute`, the control, deals its advantages anew. Each
 * trajectory is told how many of its tokens are trained on in all `epochs`.
 */
export function rowsOfScored(
  scored: readonly ScoredEpisode[],
  { dropDegenerateGroups }: Pick<GroupAdvantage, 'dropDegenerateGroups'>,
  permute: Random | null,
  epochs: number,
): Row[] {
  for (const { episode } of scored) episode.trajectory.trainedTokens = 0;
  const kept = scored.filter((each) => !(dropDegenerateGroups && each.isDegenerate));
  const all = kept.flatMap(({ advantages }) => advantages);
  const dealt = permute ? permute.shuffle(all) : all;
  return kept.flatMap(({ episode: { calls, trajectory }, advantages }) => {
    const own = dealt.splice(0, advantages.length);
    const rows = rowsOf(
      calls,
      own.length === 1 ? (own[0] ?? 0) : turnsOfCalls(calls).map((turn) => own[turn] ?? 0),
    );
    trajectory.trainedTokens = trainedTokensOf(rows, epochs);
    return rows;
  });
}

/** Index of the turn each call belongs to: a strategy to the first, a memory to the turn it was written after. */
export function turnsOfCalls(calls: PlayedEpisode['calls']): number[] {
  let turn = -1;
  return calls.map(({ call }) => {
    if (call === 'action') turn++;
    return Math.max(turn, 0);
  });
}
