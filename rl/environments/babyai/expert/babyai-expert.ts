import type { Expert } from '../../expert';
import type { BabyAiEpisode } from '../episode';
import { planTurns } from './agentgym-plan';

/** The expert of BabyAI through AgentGym's actions: see `planTurns` for what its plans guarantee. */
export const babyAiExpert: Expert<BabyAiEpisode> = {
  plan: ({ world, options }) => planTurns(world, options),
};
