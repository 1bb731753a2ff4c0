import type { GridPicture, Split } from '@/contract/trajectory';

/** One game or level with its seed. */
export interface Task {
  /** Unique within the environment, stable for ever: `babyai/GoToLocalS8N7/1000000`. */
  id: string;
  taskType: string;
  split: Split;
}

export interface Observation {
  text: string;
  /** Actions the environment offers now, in its own order. */
  availableActions: readonly string[];
}

export interface StepResult {
  observation: Observation;
  /** Reward of this turn. */
  reward: number;
  done: boolean;
  /** Ended by the turn cap alone. */
  truncated: boolean;
  /** The environment's won flag; true only on a turn that won. */
  success: boolean;
  /** The environment did not refuse the action. */
  valid: boolean;
}

/** A live play of a task. */
export interface Episode {
  readonly task: Task;
  readonly goal: string;
  /** The current observation. */
  observe(): Observation;
  step(action: string): StepResult;
  /** The state as a picture. */
  picture(): GridPicture;
  /** Equal for equal states of the same task. */
  stateHash(): string;
}

/** A world of tasks. Pure: the same task and actions give the same episode. */
export interface Environment<T extends Task = Task> {
  readonly id: string;
  /** Changes whenever any text, layout, reward or rule does. */
  readonly version: string;
  /** Every option with its value, recorded with each evaluation. */
  readonly options: Readonly<Record<string, boolean | number | string | null>>;
  start(task: T): Episode;
}
