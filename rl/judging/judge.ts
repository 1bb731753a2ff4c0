import type { JudgeName } from '@/contract/judge-table';
import type { RecipeEvent } from '@/contract/run-events';
import type { Task } from '@/rl/environments/environment';
import type { PlayedEpisode } from '@/rl/play';

/** A turn to be judged. */
export interface DrawnTurn {
  task: Task;
  episode: PlayedEpisode;
  /** Its index in the trajectory. */
  turn: number;
}

export interface Judgement {
  /** Of each turn, [-1, 1]; null where the judge gave none. */
  scores: (number | null)[];
  /** What the judge says of its own work. */
  metrics: Record<string, number>;
}

/** Scores single turns with their whole trajectory in view. */
export interface Judge {
  readonly name: JudgeName;
  /** Null where the run is stopped while it waits. */
  judge(turns: readonly DrawnTurn[], step: number): AsyncGenerator<RecipeEvent, Judgement | null>;
}
