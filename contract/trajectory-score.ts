import type { GroupAdvantage } from './recipes/grpo';
import type { RewardSettings } from './recipes/policy-settings';
import type { PlayedTrajectory, Turn } from './trajectory';

/** What of a trajectory its score is made of. */
export type Scorable = Pick<PlayedTrajectory, 'reward' | 'success'> & {
  turns: readonly Pick<Turn, 'valid' | 'formatOk'>[];
};

/**
 * Scores of a trajectory: one, its outcome less its penalties, or one a turn, each the outcome less that turn's own
 * penalties (verl-agent's `EpisodeRewardManager` and `apply_invalid_action_penalty`).
 */
export function scoresOf(
  { reward, success, turns }: Scorable,
  settings: RewardSettings,
  over: GroupAdvantage['over'],
): number[] {
  const isWellFormed = turns.every(({ formatOk }) => formatOk);
  const outcome =
    settings.scale *
      { environment: reward, won: Number(success), 'won-or-lost': success ? 1 : -1 }[settings.outcome] +
    (isWellFormed ? settings.formatReward : -settings.formatReward);
  const penalties = turns.map(
    ({ valid, formatOk }) =>
      (valid ? 0 : settings.invalidActionPenalty) + (formatOk ? 0 : settings.formatPenalty),
  );
  return over === 'turns'
    ? penalties.map((penalty) => outcome - penalty)
    : [outcome - penalties.reduce((sum, penalty) => sum + penalty, 0)];
}
