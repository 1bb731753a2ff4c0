import { AGENT_OPSD } from './functions/agent-opsd';
import { AGENTGYM_LOSSES } from './functions/agentgym-losses';
import { DISTILLATION } from './functions/distillation';
import { GIGPO } from './functions/gigpo';
import { GROUP_ADVANTAGES } from './functions/group-advantages';
import { LAB_PPO_LOSS } from './functions/lab-ppo-loss';
import { REWARDS } from './functions/rewards';
import { SAMPLING } from './functions/sampling';
import { SDAR_LOSS } from './functions/sdar';
import { SEQUENCES } from './functions/sequences';
import { STEPWISE } from './functions/stepwise';
import { STRATA } from './functions/strata';
import { VERL_LOSSES } from './functions/verl-losses';
import type { VectorFunction } from './vector-function';

/** Every function of a public implementation that ours are compared with. */
export const VECTOR_FUNCTIONS: readonly VectorFunction[] = [
  ...GROUP_ADVANTAGES,
  ...GIGPO,
  ...SAMPLING,
  ...REWARDS,
  ...VERL_LOSSES,
  ...AGENTGYM_LOSSES,
  LAB_PPO_LOSS,
  SDAR_LOSS,
  ...SEQUENCES,
  ...DISTILLATION,
  ...STEPWISE,
  ...AGENT_OPSD,
  ...STRATA,
];
