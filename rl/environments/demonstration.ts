import type { Observation, Task } from './environment';

/** One turn to imitate. */
export interface DemonstrationRow {
  goal: string;
  /** The episode's actions so far, as written. */
  pastActions: string[];
  observation: Observation;
  thought: string;
  action: string;
}

/** An episode to imitate. */
export interface Demonstration<T extends Task = Task> {
  task: T;
  success: boolean;
  invalidActions: number;
  rows: DemonstrationRow[];
}
