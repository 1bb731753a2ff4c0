import { AppError } from '@/contract/errors';
import {
  BABYAI_HELD_OUT_LEVELS,
  BABYAI_SPLIT_SIZES,
  BABYAI_TRAINING_LEVELS,
} from '@/contract/environments/babyai';
import { SPLITS, type Split } from '@/contract/trajectory';
import { createRandom, hashSeed } from '@/rl/random';
import type { TrainTaskDraw } from '../suite';
import { babyAiTask, type BabyAiTask } from './task';

/** Layout seeds by use; no two uses share one. Those from 2000000 are spent: choices were made on them. */
export const LAYOUT_SEEDS = {
  demonstrations: { first: 0, end: 100_000 },
  training: { first: 100_000, end: 1_000_000 },
  validation: { first: 1_000_000, end: 2_000_000 },
  /** Tasks that no choice was ever made on. */
  gate: { first: 3_000_000, end: 4_000_000 },
} as const;

/** `count` tasks, the levels in turn: task i has level i mod L and layout seed firstSeed + floor(i / L). */
export function taskList(
  levels: readonly string[],
  firstSeed: number,
  count: number,
  split: Split,
): BabyAiTask[] {
  if (levels.length === 0) throw new AppError('invalid_input', 'levels must name at least one level');
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new AppError('invalid_input', `count must be a positive integer, got ${count}`);
  }
  return Array.from({ length: count }, (_, index) => {
    const level = levels[index % levels.length] ?? '';
    return babyAiTask(level, firstSeed + Math.floor(index / levels.length), split);
  });
}

interface FixedList {
  levels: readonly string[];
  firstSeed: number;
}

const SPLIT_LISTS: Record<Split, FixedList> = {
  train: { levels: BABYAI_TRAINING_LEVELS, firstSeed: LAYOUT_SEEDS.training.first },
  valid_seen: { levels: BABYAI_TRAINING_LEVELS, firstSeed: LAYOUT_SEEDS.validation.first },
  valid_unseen: { levels: BABYAI_HELD_OUT_LEVELS, firstSeed: LAYOUT_SEEDS.validation.first },
};

/**
 * The first `count` tasks of a split's fixed list, all of it unless said. Throws where the list is shorter and where
 * there is no such split.
 */
export function splitTasks(split: Split, count?: number): BabyAiTask[] {
  if (!SPLITS.includes(split)) {
    throw new AppError('invalid_input', `There is no split "${split}". Splits: ${SPLITS.join(', ')}`);
  }
  const { levels, firstSeed } = SPLIT_LISTS[split];
  const size = BABYAI_SPLIT_SIZES[split];
  if (count !== undefined && count > size) {
    throw new AppError('invalid_input', `The split ${split} has ${size} tasks, asked for ${count}`);
  }
  return taskList(levels, firstSeed, count ?? size, split);
}

/** 420 tasks of the training levels that nothing was tuned on, for a declared gate. */
export function gateTasks(): BabyAiTask[] {
  return taskList(BABYAI_TRAINING_LEVELS, LAYOUT_SEEDS.gate.first, 420, 'valid_seen');
}

/**
 * Training tasks whose mission and layout equal those of a gate task. Every layout of the training range was drawn to
 * find them (the levels with the fewest layouts again in splits.slow.test.ts); none equals a validation task.
 */
const TWINS: ReadonlySet<string> = new Set(['babyai/OpenDoorLoc/799031', 'babyai/OpenDoorLoc/905627']);

/**
 * The task of a training group: level and layout seed uniform, by a hash of run seed, step and group. With the default
 * levels, no task it gives has the mission and layout of a validation or gate task.
 */
export function trainTask({
  runSeed,
  step,
  group,
  levels = BABYAI_TRAINING_LEVELS,
}: TrainTaskDraw & { levels?: readonly string[] }): BabyAiTask {
  const random = createRandom(hashSeed('babyai train task', runSeed, step, group));
  const { first, end } = LAYOUT_SEEDS.training;
  for (;;) {
    const task = babyAiTask(random.pick(levels), first + random.integer(end - first), 'train');
    if (!TWINS.has(task.id)) return task;
  }
}
