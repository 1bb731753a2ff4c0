import type { Trajectory } from '@/contract/trajectory';
import { meanOf } from './advantages';
import { countedHere } from './counted-here';

/** The rates of a step's trajectories that bear no learning; denominators as `contract/metrics.ts` states them. */
export function rolloutMetrics(trajectories: readonly Trajectory[]): Record<string, number> {
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const shareOfTurns = (holds: (turn: (typeof turns)[number]) => boolean) =>
    turns.filter(holds).length / turns.length;
  const mean = (value: (trajectory: Trajectory) => number) => meanOf(trajectories.map(value));
  // Demonstrations from a log may leave it open how they were rewarded: they are in no mean of that.
  const stated = (name: string, value: (trajectory: Trajectory) => number | null) => {
    const values = trajectories.flatMap((trajectory) => value(trajectory) ?? []);
    return values.length === 0 ? {} : { [name]: meanOf(values) };
  };
  return {
    ...stated('reward/mean', (trajectory) => trajectory.shapedReward ?? trajectory.reward),
    ...stated('reward/environment_mean', (trajectory) => trajectory.reward),
    ...stated('rollout/success_rate', ({ success }) => (success === null ? null : Number(success))),
    'rollout/format_rate': shareOfTurns((turn) => turn.formatOk),
    'rollout/admissible_rate': shareOfTurns((turn) => turn.admissible),
    'rollout/invalid_action_rate': shareOfTurns((turn) => !turn.valid),
    'rollout/invalid_actions_mean': mean((trajectory) => trajectory.invalidActions),
    'rollout/turns_mean': mean((trajectory) => trajectory.turnsCount),
    'rollout/reply_tokens_mean': meanOf(turns.map((turn) => countedHere(turn.replyTokens))),
    'rollout/error_rate': mean((trajectory) => Number(trajectory.stopReason === 'error')),
    'tokens/prompt': trajectories.reduce((sum, trajectory) => sum + countedHere(trajectory.promptTokens), 0),
  };
}
