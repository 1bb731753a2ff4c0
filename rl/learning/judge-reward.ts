/**
 * Rewards of judged turns in the published BabyAI-Text line, versions 2.1 to 2.3: each of a trajectory's drawn turns is a sample
 * of its own, without baseline. The source gives the mixes in words; the judge's range [-1, 1] follows from its tables.
 */
import type { JudgeMix } from '@/contract/recipes/turn-judge';

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
