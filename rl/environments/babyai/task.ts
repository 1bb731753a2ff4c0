import { AppError } from '@/contract/errors';
import type { Split } from '@/contract/trajectory';
import type { Task } from '../environment';
import type { TaskType } from './level';
import { AGENTGYM_LEVEL_COUNT, findLevel, findLevelOfNumber } from './levels/registry';
import { isLayoutSeed } from './numpy/seed-sequence';

/** A level with its layout seed. */
export interface BabyAiTask extends Task {
  taskType: TaskType;
  /** Upstream's name without prefix and version: `GoToLocalS8N7`. */
  level: string;
  /** Seed of the layout. */
  seed: number;
  /** AgentGym's index, where the task was named by it. */
  dataIndex?: number;
}

/**
 * The task of a level's layout seed. Throws where there is no such level, and where the seed is not an integer of
 * 0 .. 2^53 - 1.
 */
export function babyAiTask(level: string, seed: number, split: Split): BabyAiTask {
  const { taskType } = findLevel(level);
  if (!isLayoutSeed(seed)) {
    throw new AppError(
      'invalid_input',
      `The layout seed of level ${level} must be an integer of 0 .. 2^53 - 1, got ${seed}`,
    );
  }
  return { id: `babyai/${level}/${seed}`, taskType, split, level, seed };
}

/**
 * The task AgentGym means by a data index (the number in its item id `babyai_12`): level `index mod 40 + 1`, layout
 * seed `floor(index / 40)`. Throws where the index is not an integer of 0 .. 2^53 - 1.
 */
export function agentGymTask(dataIndex: number, split: Split): BabyAiTask {
  if (!Number.isSafeInteger(dataIndex) || dataIndex < 0) {
    throw new AppError(
      'invalid_input',
      `An AgentGym data index must be an integer of 0 .. 2^53 - 1, got ${dataIndex}`,
    );
  }
  const { name } = findLevelOfNumber((dataIndex % AGENTGYM_LEVEL_COUNT) + 1);
  return { ...babyAiTask(name, Math.floor(dataIndex / AGENTGYM_LEVEL_COUNT), split), dataIndex };
}

/** The inverse of a task's id. Throws where `id` is not `babyai/LEVEL/SEED` with a level and a seed there are. */
export function parseBabyAiTaskId(id: string, split: Split): BabyAiTask {
  const [, level, seed] = /^babyai\/([^/]*)\/(0|[1-9]\d*)$/.exec(id) ?? [];
  if (level === undefined || seed === undefined) {
    throw new AppError(
      'invalid_input',
      `A BabyAI task id is babyai/LEVEL/SEED, e.g. babyai/Open/12, got "${id}"`,
    );
  }
  return babyAiTask(level, Number(seed), split);
}
