import type { Trajectory } from '@/contract/trajectory';
import { meanOf } from './advantages';
import { countedHere } from './counted-here';

/** The rates of a step's trajectories that bear no learning; denominators as `contract/metrics.ts` states them. */
export function rolloutMetrics(trajectories: readonly Trajectory[]): Record<string, number> {
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const shareOfTurns = (holds: (turn: (typeof turns)[number]) => boolean) =>
    turns.filter(holds).length / turns.length;
  const mean = (value: (trajectory: Trajectory) => number) => meanOf(trajectories.map(value));
  return {
    'reward/mean': mean((trajectory) => trajectory.shapedReward ?? trajectory.reward),
    'reward/environment_mean': mean((trajectory) => trajectory.reward),
    'rollout/success_rate': mean((trajectory) => Number(trajectory.success)),
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
