import type { Split } from '@/contract/trajectory';
import type { Task } from '../environment';
import type { TaskType } from './level';
import { findLevel } from './levels/registry';

/** A level with its layout seed. */
export interface BabyAiTask extends Task {
  taskType: TaskType;
  /** Upstream's name without prefix and version: `GoToLocalS8N7`. */
  level: string;
  /** Seed of the layout. */
  seed: number;
}

/** The task of a level's layout seed. Throws where there is no such level. */
export function babyAiTask(level: string, seed: number, split: Split): BabyAiTask {
  const { taskType } = findLevel(level);
  return { id: `babyai/${level}/${seed}`, taskType, split, level, seed };
}
