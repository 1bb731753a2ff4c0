import type { Split, StatePicture } from '@/contract/trajectory';

/** One game or level with its seed. */
export interface Task {
  /** Unique within the environment, stable for ever: `babyai/GoToLocalS8N7/1000000`. */
  id: string;
  taskType: string;
  split: Split;
}

export interface Observation {
  text: string;
  /** Actions the environment offers now, in its own order; empty where it lists none. */
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

/** An episode's exact state: what was played and how. Plain JSON, so that it can be stored and sent. */
export interface EpisodeSnapshot<T extends Task = Task> {
  task: T;
  /** Every action since the start, as given to `step`. */
  actions: readonly string[];
}

/** A live play of a task. */
export interface Episode<T extends Task = Task> {
  readonly task: T;
  readonly goal: string;
  /** The current observation. */
  observe(): Observation;
  /** One turn. Throws where the episode has ended. */
  step(action: string): StepResult | Promise<StepResult>;
  /** The state as a picture; null where the environment has none to show. */
  picture(): StatePicture | null;
  /** Equal for equal states of the same task; null where the true state is out of reach. */
  stateHash(): string | null;
  snapshot(): EpisodeSnapshot<T>;
  /** Gives back what the episode holds outside this process. */
  close?(): Promise<void>;
}

/** A world of tasks. The same task and actions give the same episode. */
export interface Environment<T extends Task = Task> {
  readonly id: string;
  /** Changes whenever any text, layout, reward or rule does. */
  readonly version: string;
  /** Every option with its value, recorded with each evaluation. */
  readonly options: Readonly<Record<string, boolean | number | string | null>>;
  start(task: T): Episode<T> | Promise<Episode<T>>;
}

/** The episode a snapshot was taken of, in its state then: a new play of the same task through the same actions. */
export async function restoreEpisode<T extends Task>(
  environment: Environment<T>,
  { task, actions }: EpisodeSnapshot<T>,
): Promise<Episode<T>> {
  const episode = await environment.start(task);
  for (const action of actions) await episode.step(action);
  return episode;
}
