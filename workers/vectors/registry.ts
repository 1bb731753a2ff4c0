import { AGENT_OPSD } from './functions/agent-opsd';
import { GIGPO } from './functions/gigpo';
import { GROUP_ADVANTAGES } from './functions/group-advantages';
import { LAB_PPO_LOSS } from './functions/lab-ppo-loss';
import { POLICY_LOSSES } from './functions/policy-losses';
import { REWARDS } from './functions/rewards';
import { SAMPLING } from './functions/sampling';
import { SEQUENCES } from './functions/sequences';
import { STEPWISE } from './functions/stepwise';
import { STRATA } from './functions/strata';
import type { VectorFunction } from './vector-function';

/** Every function of a public implementation that ours are compared with. */
export const VECTOR_FUNCTIONS: readonly VectorFunction[] = [
  ...GROUP_ADVANTAGES,
  ...GIGPO,
  ...SAMPLING,
  ...REWARDS,
  ...POLICY_LOSSES,
  LAB_PPO_LOSS,
  ...SEQUENCES,
  ...STEPWISE,
  ...AGENT_OPSD,
  ...STRATA,
];
