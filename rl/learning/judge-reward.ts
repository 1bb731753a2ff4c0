/**
 * Rewards of judged turns in the published BabyAI-Text line, versions 2.1 to 2.3: each of a trajectory's drawn turns is a sample
 * of its own, without baseline. The source gives the mixes in words; the judge's range [-1, 1] follows from its tables.
 */

/** A turn and what is known of it. */
export interface JudgedTurn {
  /** The trajectory reached its goal. */
  success: boolean;
  /** The judge's score of the turn, [-1, 1]; null where the mix has no judge. */
  judgeScore: number | null;
  /** This turn's reply could be parsed. */
  isWellFormed: boolean;
  /** Every reply of the trajectory could be parsed. */
  isTrajectoryWellFormed: boolean;
}

export interface JudgeMix {
  /** Added for the outcome: `successReward` or `failureReward`, times this. */
  outcomeWeight: number;
  successReward: number;
  failureReward: number;
  /** 0 = no judge is asked. */
  judgeWeight: number;
  /**
   * `strict`: one reply that cannot be parsed fails the whole trajectory: outcome and judge count -1 each at full weight 1 in
   * sum, and `formatReward` is subtracted, -1.5 in all; a trajectory without one has it added. `soft`: only the turn
   * itself loses `formatReward`.
   */
  format: 'strict' | 'soft';
  formatReward: number;
}

/** The published mixes. */
export const JUDGE_MIXES = {
  'v2.1': {
    outcomeWeight: 0.5,
    successReward: 1,
    failureReward: -1,
    judgeWeight: 0.5,
    format: 'strict',
    formatReward: 0.5,
  },
  'v2.2': {
    outcomeWeight: 0,
    successReward: 1,
    failureReward: -1,
    judgeWeight: 1,
    format: 'strict',
    formatReward: 0.5,
  },
  'v2.3': {
    outcomeWeight: 1,
    successReward: 10,
    failureReward: 0,
    judgeWeight: 0,
    format: 'soft',
    formatReward: 0.1,
  },
} as const satisfies Record<string, JudgeMix>;

/** Reward of one turn; NaN where the mix needs a judge's score and there is none. */
export function judgedReward(turn: JudgedTurn, mix: JudgeMix): number {
  const { outcomeWeight, judgeWeight, formatReward } = mix;
  if (mix.format === 'strict' && !turn.isTrajectoryWellFormed)
    return -(outcomeWeight + judgeWeight) - formatReward;
  const outcome = outcomeWeight * (turn.success ? mix.successReward : mix.failureReward);
  const judged = judgeWeight === 0 ? 0 : judgeWeight * (turn.judgeScore ?? NaN);
  if (mix.format === 'strict') return outcome + judged + formatReward;
  return outcome + judged - (turn.isWellFormed ? 0 : formatReward);
}
