import { HOUSEHOLD_TASK_TYPES, type HouseholdTaskType } from '@/contract/environments/household';
import { AppError } from '@/contract/errors';
import type { Split } from '@/contract/trajectory';
import type { Task } from '../environment';
import { findRoom } from './rooms';

/** A room, an errand and the seed of what lies where. */
export interface HouseholdTask extends Task {
  taskType: HouseholdTaskType;
  room: string;
  seed: number;
}

/** Throws where there is no such room or task type, and where the seed is not an integer of 0 .. 2^53 - 1. */
export function householdTask(room: string, taskType: string, seed: number, split: Split): HouseholdTask {
  if (!isTaskType(taskType)) {
    throw new AppError(
      'invalid_input',
      `There is no household task type "${taskType}". Types: ${HOUSEHOLD_TASK_TYPES.join(', ')}`,
    );
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new AppError(
      'invalid_input',
      `The seed of a household task must be an integer of 0 .. 2^53 - 1, got ${seed}`,
    );
  }
  const { name } = findRoom(room);
  return { id: `household/${name}/${taskType}/${seed}`, taskType, split, room: name, seed };
}

/** The inverse of a task's id. Throws where `id` is not `household/ROOM/TYPE/SEED` of a task there is. */
export function parseHouseholdTaskId(id: string, split: Split): HouseholdTask {
  const [, room, taskType, seed] = /^household\/([^/]*)\/([^/]*)\/(0|[1-9]\d*)$/.exec(id) ?? [];
  if (room === undefined || taskType === undefined || seed === undefined) {
    throw new AppError(
      'invalid_input',
      `A household task id is household/ROOM/TYPE/SEED, e.g. household/scullery/place/12, got "${id}"`,
    );
  }
  return householdTask(room, taskType, Number(seed), split);
}

function isTaskType(name: string): name is HouseholdTaskType {
  return HOUSEHOLD_TASK_TYPES.some((type) => type === name);
}
