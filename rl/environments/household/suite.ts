import type { HouseholdConfig } from '@/contract/environments/household';
import type { EnvironmentSuite } from '../suite';
import { CONTROL_NAMES, CONTROL_POLICIES, playControl } from './controls';
import { createHousehold } from './household';
import { splitTasks, trainTask } from './splits';
import type { HouseholdTask } from './task';

/** The household as a run's config asks for it. */
export function openHousehold({ taskTypes, maxTurns }: HouseholdConfig): EnvironmentSuite<HouseholdTask> {
  const environment = createHousehold({ maxTurns });
  return {
    environment,
    splitTasks,
    trainTask: (draw) => trainTask({ ...draw, taskTypes }),
    controls: CONTROL_NAMES.map((name) => ({
      policy: CONTROL_POLICIES[name],
      decoding: name === 'random' ? 'sampled' : 'greedy',
      play: (tasks, seed) => playControl(environment, tasks, name, seed),
    })),
  };
}
