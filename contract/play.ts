import { z } from 'zod';
import { CheckpointReference } from './checkpoint';
import type { PlayConfig } from './recipes/requested-work';
import type { RunStatus } from './run';
import { SPLITS, Turn } from './trajectory';

/** What is played by hand: a task, or observations that are pasted one after another. */
export const PlayedWorld = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('task'), split: z.enum(SPLITS), taskId: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('pasted'), goal: z.string().max(2000) }),
]);
export type PlayedWorld = z.infer<typeof PlayedWorld>;

/** What a person tells a play by hand. */
export const PlayCommand = z.discriminatedUnion('kind', [
  /** The person takes the turn; with tasks alone. */
  z.strictObject({
    kind: z.literal('act'),
    action: z.string().trim().min(1, 'expected an action').max(2000),
    thought: z.string().max(20_000).default(''),
  }),
  /** The model takes the next turns, until the episode is over; with tasks alone. */
  z.strictObject({ kind: z.literal('let-model-act'), turns: z.int().min(1).max(100).default(1) }),
  /** The model is shown this and replies; with pasted observations alone. */
  z.strictObject({
    kind: z.literal('show'),
    observation: z.string().min(1, 'expected an observation').max(100_000),
    availableActions: z.array(z.string().max(2000)).max(500).default([]),
  }),
  z.strictObject({ kind: z.literal('end') }),
]);
export type PlayCommand = z.infer<typeof PlayCommand>;

/** Body of `POST /runs/:runId/commands`. `key`: sent again with the same key, it is the same command. */
export const PlayCommandRequest = z.strictObject({
  key: z.string().regex(/^[\w-]{8,64}$/, 'expected 8 to 64 of letters, digits, _ and -'),
  command: PlayCommand,
});
export type PlayCommandRequest = z.infer<typeof PlayCommandRequest>;

/** A command as it is stored; numbers count from 1 within a run. */
export const StoredCommand = z.object({ number: z.int().positive(), command: PlayCommand });
export type StoredCommand = z.infer<typeof StoredCommand>;

/** A play by hand after a command, or as it begins. */
export const PlayMoment = z.object({
  /** The last command that was carried out or refused; 0 = none yet. */
  command: z.int().nonnegative(),
  goal: z.string(),
  /** What is seen now, at the end the answer to the last action; null where the next observation is to be pasted. */
  observation: z.string().nullable(),
  availableActions: z.array(z.string()),
  /** The state now, by `encodeStatePicture`. */
  picture: z.string().max(20_000).nullable(),
  /** The turn that was taken last; of pasted observations, one that waits for its answer. */
  turn: Turn.omit({ tokens: true, picture: true, stateHash: true })
    .extend({ by: z.enum(['person', 'model']) })
    .nullable(),
  reward: z.number(),
  success: z.boolean(),
  /** The command is still being carried out. */
  busy: z.boolean(),
  /** Nothing more is played: the record follows. */
  over: z.boolean(),
  /** Why the command was not carried out; null where it was. */
  refusal: z.string().max(2000).nullable(),
});
export type PlayMoment = z.infer<typeof PlayMoment>;

/** Body of `POST /plays`: a checkpoint that is to be driven by hand. */
export const PlayRequest = z.strictObject({
  checkpoint: CheckpointReference,
  world: PlayedWorld,
  /** Most turns; absent = as many as the checkpoint's run allows. */
  turns: z.int().min(1).max(1000).optional(),
  decoding: z.enum(['greedy', 'sampled']).default('sampled'),
  /** Of sampled replies; absent = as the checkpoint's run evaluated itself. */
  temperature: z.number().min(0.01).max(5).optional(),
  /** Absent = the seed of the checkpoint's run. */
  seed: z.int().min(0).max(2_147_483_647).optional(),
  idleMinutes: z.int().min(1).max(240).default(15),
});
export type PlayRequest = z.infer<typeof PlayRequest>;

/** `GET /runs/:runId/play`. */
export interface PlayState {
  runId: string;
  status: RunStatus;
  reason: string | null;
  config: PlayConfig;
  /** Of the newest attempt, in their order; none until a worker has begun. */
  moments: PlayMoment[];
  /** The newest command that is stored; 0 = none. */
  lastCommand: number;
  /** Its record, once it is over. */
  trajectoryId: string | null;
  /** Position of the newest event included. */
  position: number;
}
