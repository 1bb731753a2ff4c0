import { AppError } from '@/contract/errors';
import type { BabyAiTextTaskType } from '@/contract/environments/babyai-text';
import type { Split } from '@/contract/trajectory';
import { drawLayout } from '../babyai/level';
import type { Instruction } from '../babyai/mission';
import type { Task } from '../environment';
import { findTextLevel, layoutSource, type ActionKind } from './levels';

/** A level with its action kind and its layout seed; the task type says the kind. */
export interface BabyAiTextTask extends Task {
  taskType: BabyAiTextTaskType;
  /** Upstream's name without prefix and version: `MixedTrainLocal`. */
  level: string;
  /** Seed of the layout. */
  seed: number;
}

const KINDS: Readonly<Record<BabyAiTextTaskType, ActionKind>> = {
  go_to: 'goto',
  pick_up: 'pickup',
  open: 'open',
  put_next_to: 'putnext',
  pick_up_then_go_to: 'pick up seq go to',
  go_to_after_pick_up: 'pick up seq go to',
};

/** The action kind of a task type; the two types of sequences share one. */
export function actionKindOf(taskType: BabyAiTextTaskType): ActionKind {
  return KINDS[taskType];
}

/** The published name of what a mission asks for. Throws on missions that BabyAI-Text does not set. */
export function taskTypeOf(instruction: Instruction): BabyAiTextTaskType {
  switch (instruction.kind) {
    case 'goto':
      return 'go_to';
    case 'pickup':
      return 'pick_up';
    case 'open':
      return 'open';
    case 'putnext':
      return 'put_next_to';
    case 'before':
      return 'pick_up_then_go_to';
    case 'after':
      return 'go_to_after_pick_up';
    case 'and':
      throw new AppError('internal', 'BabyAI-Text sets no missions of two parts in any order');
  }
}

/**
 * The task of a level, a task type and a layout seed. Throws where there is no such level, where the level has no tasks of
 * that type, and where the seed is not an integer of 0 .. 2^53 - 1. Whether a sequence's seed gives this order of its
 * parts shows when the task is started.
 */
export function babyAiTextTask(
  level: string,
  taskType: BabyAiTextTaskType,
  seed: number,
  split: Split,
): BabyAiTextTask {
  const { taskTypes } = findTextLevel(level);
  if (!taskTypes.includes(taskType)) {
    throw new AppError(
      'invalid_input',
      `The BabyAI-Text level ${level} has no tasks of type "${taskType}". Task types: ${taskTypes.join(', ')}`,
    );
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new AppError(
      'invalid_input',
      `The layout seed of a BabyAI-Text task must be an integer of 0 .. 2^53 - 1, got ${seed}`,
    );
  }
  return { id: `babyai-text/${level}/${taskType}/${seed}`, taskType, split, level, seed };
}

/** The task that a level's action kind and seed give: of a sequence, the seed draws the order. Throws as babyAiTextTask. */
export function taskOfKind(level: string, kind: ActionKind, seed: number, split: Split): BabyAiTextTask {
  const { instruction } = drawLayout(layoutSource(findTextLevel(level), kind), seed, 1, { solvable: true });
  return babyAiTextTask(level, taskTypeOf(instruction), seed, split);
}

/** Whether a level's seed gives a task of the type. */
export function isSeedOf(level: string, taskType: BabyAiTextTaskType, seed: number): boolean {
  const { order } = findTextLevel(level);
  const kind = actionKindOf(taskType);
  if (kind !== 'pick up seq go to' || order !== 'drawn') return true;
  return taskOfKind(level, kind, seed, 'train').taskType === taskType;
}
