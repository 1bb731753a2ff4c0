import type { TextEmbedder } from '@/contract/embedding';
import type { ChatEndpoint, EndpointSettings } from '@/contract/endpoint';
import type { CheckpointReference } from '@/contract/checkpoint';
import type { Engine, SamplingClient } from '@/contract/engine';
import type { EnvironmentConfig } from '@/contract/environments/registry';
import type { StoredCommand } from '@/contract/play';
import type { RecipeEvent } from '@/contract/run-events';
import { toWireNumber } from '@/contract/run-events';
import type { Teacher, TeacherSettings } from '@/contract/teacher';
import type { Trajectory } from '@/contract/trajectory';
import type { TrajectoryFilter } from '@/contract/trajectory-filter';
import type { EnvironmentSuite } from '../environments/suite';
import type { EarlierEvaluations } from './earlier-evaluations';
import type { EarlierPoints } from './rules';

/** What a recipe is given by whoever runs it. It stores and sends nothing itself. */
export interface RecipeContext {
  engine: Engine;
  /** Opens the environment of the run's config, with whatever data or address it needs. */
  openEnvironment(config: EnvironmentConfig): EnvironmentSuite | Promise<EnvironmentSuite>;
  /** A model behind an API, asked until the run is stopped. Throws where the worker has no key of that name. */
  openEndpoint(settings: EndpointSettings): ChatEndpoint;
  /** What tells how alike texts are: the sentence model that the worker names, else hashed n-grams. */
  openEmbedder(): Promise<TextEmbedder>;
  /** A model that scores what this run samples, by the same tokens; the recipe prepares and closes it. */
  openTeacher(settings: TeacherSettings): Teacher;
  /**
   * A checkpoint that the config names under `checkpoints`, as an immutable policy; the engine holds its weights from then
   * on. Step 0 of a run that saved none is the engine's model. Throws where it is gone or damaged.
   */
  openCheckpoint(reference: CheckpointReference): Promise<SamplingClient>;
  /** What earlier attempts of the run have played of its evaluations; null where this is the first attempt. */
  earlierEvaluations(): Promise<EarlierEvaluations | null>;
  /** A recorded trajectory by its id, from the server. */
  trajectory(id: string): Promise<Trajectory>;
  /**
   * The command after number `after` that a person gives a play by hand; `idle` where none comes for `idleS` seconds, null
   * once the run is stopped.
   */
  nextCommand(after: number, idleS: number): Promise<StoredCommand | 'idle' | null>;
  /** Recorded trajectories that pass the filter, newest first; the recipe closes the shelf. Throws where there is nothing to read them from. */
  trajectories(filter: TrajectoryFilter): Promise<TrajectoryShelf>;
  /** Folder for the checkpoint of a step: the recipe writes it and yields `checkpoint:written`. */
  checkpointDir(step: number): string;
  /**
   * The engine already holds this step's checkpoint; the recipe goes on with the next step. `earlier`: what the run measured
   * up to it of the series that its rules look at.
   */
  resumeFrom: { step: number; earlier?: EarlierPoints } | null;
  /** Seconds, monotonic; for `time/*` alone. */
  clock(): number;
  /** Once aborted, the recipe ends after the step it is in, its checkpoint written. */
  signal: AbortSignal;
}

/** Trajectories outside memory, each read by its place, from 0. */
export interface TrajectoryShelf {
  readonly count: number;
  at(index: number): Promise<Trajectory>;
  close(): Promise<void>;
}

/** A recipe: the algorithm as a stream of what happens. */
export type RecipeProgram<Config> = (config: Config, context: RecipeContext) => AsyncGenerator<RecipeEvent>;

/** One event for a step's metrics; values that JSON cannot hold are named. */
export function pointsEvent(step: number, metrics: Record<string, number>): RecipeEvent {
  const points = Object.entries(metrics).map(([name, value]) => ({ name, value: toWireNumber(value) }));
  return { kind: 'points:measured', step, points };
}

/** What goes on from now on, with how many trajectories or rows it is about. */
export function activityEvent(
  step: number,
  activity: Extract<RecipeEvent, { kind: 'progress:advanced' }>['activity'],
  of: number,
  done = 0,
): RecipeEvent {
  return { kind: 'progress:advanced', step, activity, done, of: Math.max(1, of) };
}

export function logEvent(level: 'info' | 'warn' | 'error', message: string): RecipeEvent {
  return { kind: 'log:written', level, message };
}
