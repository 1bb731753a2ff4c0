import { BASELINE_STEPS, ENTROPY, FORMAT, LOGPROB } from '@/contract/collapse';

/** Every threshold of the detectors; docs/detectors.md says where each comes from. */
export const LIMITS = {
  /** Measured steps without a finding after which an alert is over. */
  quietSteps: 20,
  noneAvailable: { inARow: 3, warningShare: 0.1 },
  repeated: { warningShare: 0.1 },
  ungrounded: { share: 0.3, fewestTurns: 3 },
  format: { ...FORMAT, baselineSteps: BASELINE_STEPS },
  logprob: LOGPROB,
  entropy: {
    ...ENTROPY,
    baselineSteps: BASELINE_STEPS,
    noticeFraction: 0.6,
    blowUpFactor: 2,
  },
  length: {
    baselineSteps: 20,
    collapseRatio: 0.25,
    explosionRatio: 4,
    clippedShare: 0.2,
    judgeCorrelation: 0.3,
  },
  zeroVariance: { noticeShare: 0.6, warningShare: 1, inARow: 5 },
  singletons: { share: 0.1 },
  constant: { points: 3, pointsWithin: 5, deniedMean: 0.2, fewestTrajectories: 10, fewestCompleted: 3 },
  paidReward: { ceiling: 1, fewestPositive: 4, scaledShare: 0.5 },
  cumulative: { points: 10, rises: 5 },
  disagreement: { checkpoints: 2 },
  opposite: { evaluations: 5, fewestEvaluations: 4, tau: 0.8, drop: 0.05 },
} as const;
