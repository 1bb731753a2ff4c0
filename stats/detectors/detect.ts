import { DETECTORS, type DetectorId } from '@/contract/alert';
import { noneAvailableLoop, repeatedActions, ungroundedActions } from './action-loops';
import { constantMetric } from './constant-metric';
import { cumulativeSuccess } from './cumulative-success';
import { entropyChange } from './entropy-change';
import { formatCollapseDetector } from './format-collapse';
import { lengthChange } from './length-change';
import { logprobCollapseDetector } from './logprob-collapse';
import { oppositeTrends } from './opposite-trends';
import { paidReward } from './paid-reward';
import type { DetectorReport } from './report';
import type { RunFacts } from './run-facts';
import { singletonGroups } from './singleton-groups';
import { splitDisagreement } from './split-disagreement';
import { zeroVarianceGroups } from './zero-variance-groups';

/** Raised where what the detectors say of the same run changes: every run is then read again. */
export const DETECTORS_VERSION = 3;

const DETECT: Readonly<Record<DetectorId, (facts: RunFacts) => DetectorReport>> = {
  none_available: noneAvailableLoop,
  repeated_actions: repeatedActions,
  ungrounded_actions: ungroundedActions,
  format_collapse: formatCollapseDetector,
  logprob_collapse: logprobCollapseDetector,
  entropy_change: entropyChange,
  length_change: lengthChange,
  zero_variance_groups: zeroVarianceGroups,
  singleton_groups: singletonGroups,
  constant_metric: constantMetric,
  paid_reward: paidReward,
  cumulative_success: cumulativeSuccess,
  split_disagreement: splitDisagreement,
  opposite_trends: oppositeTrends,
};

/** What every detector says of a run, in their order. A pure function of what the run has said. */
export function detectAll(facts: RunFacts): (DetectorReport & { detector: DetectorId })[] {
  return DETECTORS.map((detector) => ({ detector, ...DETECT[detector](facts) }));
}
