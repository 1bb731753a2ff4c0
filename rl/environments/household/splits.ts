import {
  HOUSEHOLD_SPLIT_SIZES,
  HOUSEHOLD_TASK_TYPES,
  type HouseholdTaskType,
} from '@/contract/environments/household';
import { AppError } from '@/contract/errors';
import { SPLITS, type Split } from '@/contract/trajectory';
import { createRandom, hashSeed } from '@/rl/random';
import type { TrainTaskDraw } from '../suite';
import { drawLayout } from './layout';
import { HELD_OUT_ROOMS, TRAINING_ROOMS, type Room } from './rooms';
import { householdTask, type HouseholdTask } from './task';

/** Seeds by use; no two uses share one. */
export const TASK_SEEDS = {
  demonstrations: { first: 0, end: 100_000 },
  training: { first: 100_000, end: 1_000_000 },
  validation: { first: 1_000_000, end: 2_000_000 },
  /** Tasks that no choice was ever made on. */
  gate: { first: 2_000_000, end: 3_000_000 },
} as const;

/** `count` tasks, the task types in turn, and the rooms in turn for each round of types; the seed counts the rounds. */
export function taskList(
  rooms: readonly Room[],
  firstSeed: number,
  count: number,
  split: Split,
): HouseholdTask[] {
  if (rooms.length === 0) throw new AppError('invalid_input', 'rooms must name at least one room');
  return Array.from({ length: count }, (_, index) => {
    const taskType = HOUSEHOLD_TASK_TYPES[index % HOUSEHOLD_TASK_TYPES.length] ?? '';
    const round = Math.floor(index / HOUSEHOLD_TASK_TYPES.length);
    const room = rooms[round % rooms.length]?.name ?? '';
    return householdTask(room, taskType, firstSeed + round, split);
  });
}

const SPLIT_LISTS: Record<Split, { rooms: readonly Room[]; firstSeed: number }> = {
  train: { rooms: TRAINING_ROOMS, firstSeed: TASK_SEEDS.training.first },
  valid_seen: { rooms: TRAINING_ROOMS, firstSeed: TASK_SEEDS.validation.first },
  valid_unseen: { rooms: HELD_OUT_ROOMS, firstSeed: TASK_SEEDS.validation.first },
};

/**
 * The first `count` tasks of a split's fixed list, all of it unless said. Throws where the list is shorter and where
 * there is no such split.
 */
export function splitTasks(split: Split, count?: number): HouseholdTask[] {
  if (!SPLITS.includes(split)) {
    throw new AppError('invalid_input', `There is no split "${split}". Splits: ${SPLITS.join(', ')}`);
  }
  const { rooms, firstSeed } = SPLIT_LISTS[split];
  const size = HOUSEHOLD_SPLIT_SIZES[split];
  if (count !== undefined && count > size) {
    throw new AppError('invalid_input', `The split ${split} has ${size} tasks, asked for ${count}`);
  }
  return taskList(rooms, firstSeed, count ?? size, split);
}

/** 240 tasks of a validation split's rooms that nothing was tuned on, for a declared gate. */
export function gateTasks(split: Exclude<Split, 'train'>): HouseholdTask[] {
  return taskList(SPLIT_LISTS[split].rooms, TASK_SEEDS.gate.first, HOUSEHOLD_SPLIT_SIZES[split], split);
}

/** What two tasks share that start alike: the goal, and what lies where. The wording and the seed may differ. */
export function startKey(task: HouseholdTask): string {
  const { room, goal, objects } = drawLayout(task);
  const placed = objects.map(({ kind, receptacle }) => `${kind} ${receptacle.name}`).sort();
  return JSON.stringify([room.name, goal, placed]);
}

let heldOut: ReadonlySet<string> | null = null;

/** Starts of the validation and gate tasks in training rooms. */
function heldOutStarts(): ReadonlySet<string> {
  heldOut ??= new Set([...splitTasks('valid_seen'), ...gateTasks('valid_seen')].map(startKey));
  return heldOut;
}

/**
 * The task of a training group: room, type and seed uniform, by a hash of run seed, step and group. Drawn again where a
 * validation or gate task starts alike.
 */
export function trainTask({
  runSeed,
  step,
  group,
  taskTypes = HOUSEHOLD_TASK_TYPES,
}: TrainTaskDraw & { taskTypes?: readonly HouseholdTaskType[] }): HouseholdTask {
  const random = createRandom(hashSeed('household train task', runSeed, step, group));
  const { first, end } = TASK_SEEDS.training;
  for (;;) {
    const { name } = random.pick(TRAINING_ROOMS);
    const task = householdTask(name, random.pick(taskTypes), first + random.integer(end - first), 'train');
    if (!heldOutStarts().has(startKey(task))) return task;
  }
}
