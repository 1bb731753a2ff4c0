import { z } from 'zod';
import { CapabilityResult } from './capability';
import { ActionScores } from './action-scores';
import { CheckpointLocation, CheckpointRecord } from './checkpoint';
import { ContinuationTable } from './continuation-table';
import { EvaluationResult } from './evaluation';
import { JudgeTable } from './judge-table';
import { PlayMoment } from './play';
import { RunStatus } from './run';
import { Trajectory } from './trajectory';
import { SCHEMA_VERSION } from './version';

/** The product's own are `area/name`; an import keeps the names it found. No line break, no control character, no edge of white space. */
export const MetricName = z
  .string()
  .max(200)
  .regex(/^(?!\s)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+(?<!\s)$/u, 'expected a name of printable characters');

/** A number as the wire carries it: JSON has no NaN and no infinities. */
export const WireNumber = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);
export type WireNumber = z.infer<typeof WireNumber>;

export function toWireNumber(value: number): WireNumber {
  return Number.isFinite(value) ? value : (String(value) as 'NaN' | 'Infinity' | '-Infinity');
}

export function fromWireNumber(value: WireNumber): number {
  return typeof value === 'number' ? value : Number(value);
}

/** Longest message of the log and longest reason of a status, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 20_000;

/** A message cut to what an event may hold; the cut is marked. */
export function clipMessage(text: string): string {
  return text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
}

const LogLevel = z.enum(['info', 'warn', 'error']);

/** Everything a run can say. A recipe yields the first group, the worker adds the second. */
export const RunEvent = z.discriminatedUnion('kind', [
  /** A step's sampling and update are done; `step` = updates' iteration, so its metrics bear it. */
  z.object({ kind: z.literal('step:finished'), step: z.int().nonnegative(), steps: z.int().positive() }),
  /** What is going on within a step. */
  z.object({
    kind: z.literal('progress:advanced'),
    step: z.int().nonnegative(),
    activity: z.enum(['rollout', 'training', 'evaluation', 'probe', 'checkpoint', 'controls']),
    done: z.int().nonnegative(),
    of: z.int().positive(),
  }),
  z.object({
    kind: z.literal('points:measured'),
    step: z.int().nonnegative(),
    points: z
      .array(z.object({ name: MetricName, value: WireNumber }))
      .min(1)
      .max(1000),
  }),
  z.object({ kind: z.literal('trajectory:finished'), trajectory: Trajectory }),
  z.object({ kind: z.literal('evaluation:finished'), evaluation: EvaluationResult }),
  z.object({ kind: z.literal('capability:measured'), result: CapabilityResult }),
  z.object({ kind: z.literal('judge:tabulated'), table: JudgeTable }),
  z.object({ kind: z.literal('teacher:continued'), table: ContinuationTable }),
  z.object({ kind: z.literal('actions:scored'), scored: ActionScores }),
  z.object({ kind: z.literal('play:advanced'), moment: PlayMoment }),
  z.object({ kind: z.literal('log:written'), level: LogLevel, message: z.string().max(MAX_MESSAGE_LENGTH) }),
  z.object({
    kind: z.literal('checkpoint:saved'),
    checkpoint: CheckpointRecord,
    location: CheckpointLocation,
  }),
  /** Its files are where `location` says and whole: a run may resume from it. */
  z.object({
    kind: z.literal('checkpoint:completed'),
    step: z.int().nonnegative(),
    location: CheckpointLocation,
  }),
  z.object({
    kind: z.literal('status:changed'),
    status: RunStatus,
    reason: z.string().max(MAX_MESSAGE_LENGTH).nullable(),
    /** The checkpoint this attempt starts from; with `starting`, and with `running` where it was an older one after all. */
    resumedFromStep: z.int().nonnegative().nullable(),
    /** With `paused`: no worker holds it any more, it goes on once a person continues it. */
    awaitsPerson: z.literal(true).optional(),
  }),
]);
export type RunEvent = z.infer<typeof RunEvent>;
export type RunEventKind = RunEvent['kind'];

/**
 * What a recipe yields: a checkpoint as the folder it wrote, a wait for something outside the run as its beginning, with
 * the reason, and its end, a rule that ends it; everything else as the run says it.
 */
export type RecipeEvent =
  | Exclude<
      RunEvent,
      { kind: 'checkpoint:saved' | 'checkpoint:completed' | 'status:changed' | 'capability:measured' }
    >
  | { kind: 'checkpoint:written'; step: number; parentStep: number | null; dir: string }
  /** The last event of a run that one of its rules ends here: for good, or until a person continues it. */
  | { kind: 'rule:fired'; action: 'pause' | 'stop'; reason: string }
  | { kind: 'pause:began'; reason: string }
  | { kind: 'pause:ended' };

/** An event as a worker sends it. `seq` counts from 0 in each attempt; `at` is the worker's clock, ms since 1970. */
export const StampedEvent = z.object({
  v: z.literal(SCHEMA_VERSION),
  runId: z.string().min(1),
  attempt: z.int().positive(),
  seq: z.int().nonnegative(),
  at: z.int().nonnegative(),
  event: z.looseObject({ kind: z.string().min(1).max(100) }),
});
export type StampedEvent = z.infer<typeof StampedEvent>;

/** A trajectory as browsers hear of it: its row's id and what a list shows. */
export const TrajectorySummary = Trajectory.omit({
  turns: true,
  strategy: true,
  finalPicture: true,
  finalObservation: true,
}).extend({ id: z.string() });
export type TrajectorySummary = z.infer<typeof TrajectorySummary>;

/** What is stored and published: trajectories without what only an opened one shows, kinds of a newer version as they came. */
export type PublishedPayload =
  | Exclude<RunEvent, { kind: 'trajectory:finished' }>
  | { kind: 'trajectory:finished'; trajectory: TrajectorySummary };

/** An event as browsers see it. `position` counts the run's stored events from 1, over all attempts. */
export interface PublishedEvent {
  position: number;
  attempt: number;
  /** Null for what the server says itself: claims, stops, lost leases. */
  seq: number | null;
  /** ms since 1970, by the clock of whoever said it. */
  at: number;
  event: PublishedPayload;
}
