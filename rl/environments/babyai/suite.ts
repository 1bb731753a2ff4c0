import type { BabyAiConfig } from '@/contract/environments/babyai';
import type { Control, EnvironmentSuite } from '../suite';
import { createBabyAi } from './babyai';
import { playControl, type ControlName } from './controls';
import { splitTasks, trainTask } from './splits';
import type { BabyAiTask } from './task';

const POLICIES = {
  random: 'random_offered_action',
  'look-around': 'look_around_script',
  planner: 'full_knowledge_planner',
} as const satisfies Record<ControlName, Control['policy']>;

/** BabyAI as a run's config asks for it. */
export function openBabyAi({ levels, maxTurns, compat }: BabyAiConfig): EnvironmentSuite<BabyAiTask> {
  const environment = createBabyAi({ maxTurns, ...(compat === 'agentgym' && { compat }) });
  return {
    environment,
    splitTasks,
    trainTask: (draw) => trainTask({ ...draw, levels }),
    controls: (['random', 'look-around', 'planner'] as const).map((name) => ({
      policy: POLICIES[name],
      decoding: name === 'random' ? 'sampled' : 'greedy',
      play: (tasks, seed) => playControl(environment, tasks, name, seed),
    })),
  };
}
