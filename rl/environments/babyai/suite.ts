import type { BabyAiConfig } from '@/contract/environments/babyai';
import { controlsOf } from '../control';
import type { EnvironmentSuite } from '../suite';
import { createBabyAi } from './babyai';
import { BABYAI_PLAYERS } from './controls';
import { demonstratedThought } from './demonstrated-thought';
import { babyAiExpert } from './expert/babyai-expert';
import { splitTasks, trainTask } from './splits';
import type { BabyAiTask } from './task';

/** BabyAI as a run's config asks for it. */
export function openBabyAi({ levels, maxTurns, compat }: BabyAiConfig): EnvironmentSuite<BabyAiTask> {
  const environment = createBabyAi({ maxTurns, ...(compat === 'agentgym' && { compat }) });
  return {
    environment,
    splitTasks,
    trainTask: (draw) => trainTask({ ...draw, levels }),
    controls: controlsOf(environment, BABYAI_PLAYERS),
    expert: babyAiExpert,
    thought: demonstratedThought,
  };
}
