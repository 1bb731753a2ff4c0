import type { HouseholdConfig } from '@/contract/environments/household';
import { controlsOf } from '../control';
import type { EnvironmentSuite } from '../suite';
import { HOUSEHOLD_PLAYERS } from './controls';
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
    controls: controlsOf(environment, HOUSEHOLD_PLAYERS),
  };
}
