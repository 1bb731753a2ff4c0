import {
  BABYAI_TEXT_50_COUNTS,
  BABYAI_TEXT_SPLIT_SIZES,
  BABYAI_TEXT_TASK_TYPES,
  type BabyAiTextTaskType,
} from '@/contract/environments/babyai-text';
import { AppError } from '@/contract/errors';
import { SPLITS, type Split } from '@/contract/trajectory';
import { createRandom, hashSeed } from '@/rl/random';
import { LAYOUT_SEEDS } from '../babyai/splits';
import type { TrainTaskDraw } from '../suite';
import { babyAiTextTask, isSeedOf, type BabyAiTextTask } from './task';

/** Layout seeds of `babyai-text-50`; no other use shares them. */
export const BABYAI_TEXT_50_SEEDS = { first: 4_000_000, end: 5_000_000 } as const;

const TRAINING_LEVEL = 'MixedTrainLocal';

const SPLIT_LISTS: Readonly<Record<Split, { level: string; firstSeed: number }>> = {
  train: { level: TRAINING_LEVEL, firstSeed: LAYOUT_SEEDS.training.first },
  valid_seen: { level: TRAINING_LEVEL, firstSeed: LAYOUT_SEEDS.validation.first },
  valid_unseen: { level: 'MixedTestLocal', firstSeed: LAYOUT_SEEDS.validation.first },
};

/** A task of each type in turn: each takes the next seed that gives its type, so that no two tasks share a seed. */
function taskList(
  level: string,
  firstSeed: number,
  types: readonly BabyAiTextTaskType[],
  split: Split,
): BabyAiTextTask[] {
  let seed = firstSeed;
  return types.map((type) => {
    while (!isSeedOf(level, type, seed)) seed++;
    return babyAiTextTask(level, type, seed++, split);
  });
}

/**
 * The first `count` tasks of a split's fixed list, all of it unless said; the six task types in turn. Throws where there is
 * no such split and where its list is shorter.
 */
export function babyAiTextSplitTasks(split: Split, count?: number): BabyAiTextTask[] {
  if (!SPLITS.includes(split)) {
    throw new AppError('invalid_input', `There is no split "${String(split)}". Splits: ${SPLITS.join(', ')}`);
  }
  const size = BABYAI_TEXT_SPLIT_SIZES[split];
  const length = count ?? size;
  if (!Number.isSafeInteger(length) || length < 1 || length > size) {
    throw new AppError(
      'invalid_input',
      `The split ${split} of BabyAI-Text has ${size} tasks, asked for ${length}`,
    );
  }
  const { level, firstSeed } = SPLIT_LISTS[split];
  const types = BABYAI_TEXT_TASK_TYPES;
  const inTurn = Array.from({ length }, (_, index) => types[index % types.length] ?? types[0]);
  return taskList(level, firstSeed, inTurn, split);
}

/**
 * The list `babyai-text-50`, or its first `count`: level and numbers of each type as published; the seeds, which are not,
 * are our own. Types come in alphabetical order. Throws where more than 50 are asked for.
 */
export function babyAiText50Tasks(count?: number): BabyAiTextTask[] {
  const types = BABYAI_TEXT_TASK_TYPES.toSorted().flatMap((type) =>
    new Array<BabyAiTextTaskType>(BABYAI_TEXT_50_COUNTS[type]).fill(type),
  );
  if (count !== undefined && count > types.length)
    throw new AppError('invalid_input', `babyai-text-50 has ${types.length} tasks, asked for ${count}`);
  return taskList(TRAINING_LEVEL, BABYAI_TEXT_50_SEEDS.first, types.slice(0, count), 'valid_seen');
}

/**
 * The task of a training group: type and layout seed uniform, by a hash of run seed, step and group. A type that is named
 * twice is drawn twice as often.
 *
 * No task it gives has the mission and layout of a validation task or of `babyai-text-50`: every start of the training
 * range was drawn to see it (part of them again in splits.slow.test.ts).
 */
export function babyAiTextTrainTask({
  runSeed,
  step,
  group,
  taskTypes = BABYAI_TEXT_TASK_TYPES,
}: TrainTaskDraw & { taskTypes?: readonly BabyAiTextTaskType[] }): BabyAiTextTask {
  const random = createRandom(hashSeed('babyai-text train task', runSeed, step, group));
  const { first, end } = LAYOUT_SEEDS.training;
  const taskType = random.pick(taskTypes);
  for (;;) {
    const seed = first + random.integer(end - first);
    if (isSeedOf(TRAINING_LEVEL, taskType, seed)) {
      return babyAiTextTask(TRAINING_LEVEL, taskType, seed, 'train');
    }
  }
}
