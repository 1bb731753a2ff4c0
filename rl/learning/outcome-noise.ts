/** A judged turn: how its trajectory ended and what a judge thought of the turn itself. */
export interface JudgedOutcome {
  success: boolean;
  /** [-1, 1] */
  judgeScore: number;
}

/** How often the outcome blames a turn that the judge does not. Shares are NaN where their denominator is 0. */
export interface OutcomeNoise {
  n: number;
  /** Turns of failed trajectories. */
  failed: number;
  /** failed / n */
  failRate: number;
  /** P(judge >= 0 | failed): turns that a penalty for the outcome would punish wrongly. */
  soundGivenFailed: number;
  /** P(judge >= 0.5 | failed). */
  goodGivenFailed: number;
  /** P(judge >= 0 and failed), of all turns. */
  soundAndFailed: number;
}

/** The table's row for one window or task type. */
export function outcomeNoise(turns: readonly JudgedOutcome[]): OutcomeNoise {
  const failedTurns = turns.filter(({ success }) => !success);
  const countFrom = (score: number) => failedTurns.filter(({ judgeScore }) => judgeScore >= score).length;
  const n = turns.length;
  const failed = failedTurns.length;
  return {
    n,
    failed,
    failRate: failed / n,
    soundGivenFailed: countFrom(0) / failed,
    goodGivenFailed: countFrom(0.5) / failed,
    soundAndFailed: countFrom(0) / n,
  };
}
