import { z } from 'zod';
import { TrajectoryId } from '../action-scores';
import { CheckpointReferences } from '../checkpoint';
import { PlayedWorld } from '../play';
import { ScaffoldConfig } from '../scaffolds';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

/** What a run has that works on one checkpoint of another run: nothing is trained, one step holds the work. */
const REQUESTED_SHAPE = {
  ...RUN_SHAPE,
  steps: z.literal(1).describe('Nothing is trained: one step holds the work'),
  checkpoints: CheckpointReferences.max(1).describe('The checkpoint that works'),
};

/** Scoring of recorded replies under a checkpoint. */
export const ActionScoresConfig = z
  .strictObject({
    ...REQUESTED_SHAPE,
    trajectories: z
      .array(z.strictObject({ id: TrajectoryId, scaffold: ScaffoldConfig }))
      .min(1)
      .max(20)
      .describe('Recorded trajectories, each with the scaffold that wrote its prompts'),
  })
  .superRefine(checkRunSettings);
export type ActionScoresConfig = z.infer<typeof ActionScoresConfig>;

/** Most continuations of one turn. */
export const MAX_FORK_SAMPLES = 256;

/** Continuations of a recorded trajectory from a turn on; environment, scaffold and seed are those of the run that recorded it. */
export const ForkTurnConfig = z
  .strictObject({
    ...REQUESTED_SHAPE,
    trajectory: TrajectoryId.describe('The recorded trajectory'),
    turn: z.int().min(0).max(100_000).describe('First turn that is played anew; those before it are given'),
    samples: z.int().min(1).max(MAX_FORK_SAMPLES).describe('How often it is continued'),
  })
  .superRefine(checkRunSettings);
export type ForkTurnConfig = z.infer<typeof ForkTurnConfig>;

/** A checkpoint driven by hand. */
export const PlayConfig = z
  .strictObject({
    ...REQUESTED_SHAPE,
    world: PlayedWorld.describe('A task of the environment, or pasted observations'),
    decoding: z.enum(['greedy', 'sampled']).describe('How the model’s replies are drawn'),
    idleMinutes: z.int().min(1).max(240).describe('Ended after so long without a command'),
  })
  .superRefine(checkRunSettings);
export type PlayConfig = z.infer<typeof PlayConfig>;
