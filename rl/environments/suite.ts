import type { EvaluationResult, Policy } from '@/contract/evaluation';
import type { Split } from '@/contract/trajectory';
import type { Environment, Episode, Observation, Task } from './environment';
import type { Expert } from './expert';

/** Which training task: drawn by a hash of these alone. */
export interface TrainTaskDraw {
  runSeed: number;
  step: number;
  group: number;
}

/** How a policy without a model ended a task. */
export interface ControlOutcome<T extends Task = Task> {
  task: T;
  success: boolean;
  reward: number;
  turns: number;
  invalidActions: number;
}

/** A policy that needs no model, measured beside one that learns. */
export interface Control<T extends Task = Task> {
  policy: Exclude<Policy, 'checkpoint' | 'masked_base'>;
  decoding: EvaluationResult['decoding'];
  /** Plays each task once; a task's draws depend on the seed and the task alone. */
  play(tasks: readonly T[], seed: number): ControlOutcome<T>[];
}

/** An environment with the tasks a run trains on and is measured on. */
export interface EnvironmentSuite<T extends Task = Task> {
  environment: Environment<T>;
  /** The first `count` tasks of a split's fixed list. Throws where the list is shorter. */
  splitTasks(split: Split, count: number): readonly T[];
  trainTask(draw: TrainTaskDraw): T;
  controls: readonly Control<T>[];
  /** Plans from any state of an episode; absent where the environment has none. */
  expert?: Expert<Episode>;
  /** What a demonstrator says before an action, from what it sees alone; absent where the environment has no words for it. */
  thought?(seen: { goal: string; observation: Observation; action: string }): string;
}
