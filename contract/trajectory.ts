import { z } from 'zod';

/** Why a trajectory was sampled. `fork`: continued from a turn of another one. `manual`: played by hand. */
export const TRAJECTORY_PHASES = ['train', 'eval', 'probe', 'fork', 'manual'] as const;
export type TrajectoryPhase = (typeof TRAJECTORY_PHASES)[number];

export const SPLITS = ['train', 'valid_seen', 'valid_unseen'] as const;
export type Split = (typeof SPLITS)[number];

/** How a trajectory ended; `not_stated`: a log that was imported does not say. */
export const STOP_REASONS = [
  'success',
  'failure',
  'turn_limit',
  'context_limit',
  'stopped',
  'error',
  'not_stated',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** A grid world seen from above, before an action: what a screen needs to draw it. */
export const GridPicture = z.object({
  kind: z.literal('grid'),
  width: z.int().positive(),
  height: z.int().positive(),
  /** Everything that stands on the grid; a cell that is not named is empty floor. */
  objects: z.array(
    z.object({
      x: z.int(),
      y: z.int(),
      type: z.enum(['wall', 'door', 'key', 'ball', 'box', 'goal', 'lava']),
      color: z.string(),
      /** Doors only. */
      state: z.enum(['open', 'closed', 'locked']).optional(),
      /** Named by the mission. */
      target: z.boolean().optional(),
    }),
  ),
  agent: z.object({ x: z.int(), y: z.int(), direction: z.enum(['right', 'down', 'left', 'up']) }),
  carrying: z.object({ type: z.string(), color: z.string() }).nullable(),
  /** Cells the agent sees, row by row, `1` seen and `0` not; length width * height. */
  visible: z.string(),
});
export type GridPicture = z.infer<typeof GridPicture>;

/** Steps of a household task, in the order they can be taken; a task has those it needs. */
const HOUSEHOLD_STAGES = ['found', 'taken', 'cleaned', 'heated', 'cooled', 'lit', 'placed'] as const;

/** A household before an action: where everything is, and how far the goal has come. */
export const HouseholdPicture = z.object({
  kind: z.literal('household'),
  receptacles: z.array(
    z.object({
      /** As the observation names it: `countertop 1`. */
      name: z.string(),
      /** Null where it cannot be opened. */
      state: z.enum(['open', 'closed']).nullable(),
      contents: z.array(z.string()),
      /** The agent faces it. */
      here: z.boolean(),
      /** The goal names its kind. */
      target: z.boolean(),
    }),
  ),
  /** What is in the hand: `apple 1`. */
  holding: z.string().nullable(),
  /** Objects whose kind the goal names. */
  targets: z.array(z.string()),
  /** How many of `of` objects have come through each stage; found counts what an observation has named. */
  progress: z.array(
    z.object({
      stage: z.enum(HOUSEHOLD_STAGES),
      done: z.int().nonnegative(),
      of: z.int().positive(),
    }),
  ),
});
export type HouseholdPicture = z.infer<typeof HouseholdPicture>;

export type StatePicture = GridPicture | HouseholdPicture;

/** One exchange: what the agent saw, what it wrote, what came of it. Index 0 is the first turn. */
export const Turn = z.object({
  index: z.int().nonnegative(),
  observation: z.string(),
  availableActions: z.array(z.string()),
  /** The prompt as text where it is more than the observation. */
  prompt: z.string().nullable(),
  reply: z.string(),
  thought: z.string().nullable(),
  /** The action as sent to the environment; empty where the reply held none or more than one. */
  action: z.string(),
  /** The reply kept the scaffold’s format. */
  formatOk: z.boolean(),
  /** The action is in the available list, letter by letter. */
  admissible: z.boolean(),
  /** The environment did not refuse the action: it took it, or gave no answer. `rollout/invalid_action_rate` counts the opposite. */
  valid: z.boolean(),
  /** Reward of the environment for this turn; null where the source does not state it. */
  reward: z.number().nullable(),
  /** The working memory after this turn, where the scaffold keeps one. */
  memory: z.string().nullable().default(null),
  /** Tokens of the acting call; null where the source does not state them. */
  promptTokens: z.int().nonnegative().nullable(),
  replyTokens: z.int().nonnegative().nullable(),
  /** Reply token ids, their texts and log-probabilities in nats (null: written, not sampled); equal lengths. */
  tokens: z
    .object({
      ids: z.array(z.int()),
      texts: z.array(z.string()),
      logprobs: z.array(z.number().nullable()),
      /** Entropy of the distribution each token was drawn from, in nats; absent where the engine does not say. */
      entropies: z.array(z.number().nullable()).optional(),
      /** A teacher’s log-probability of each token, in nats; absent where none scored the reply. */
      teacherLogprobs: z.array(z.number().nullable()).optional(),
    })
    .nullable(),
  /** The state before the action, by `encodeStatePicture`. */
  picture: z.string().max(20_000).nullable(),
  /** Equal for equal states of the same task. */
  stateHash: z.string().nullable(),
});
export type Turn = z.infer<typeof Turn>;

/** A turn that was played here, whose reward the environment said. */
export type PlayedTurn = Turn & { reward: number };

/** A finished episode's record. */
export const Trajectory = z.object({
  /** Sampled by the checkpoint of this step. */
  step: z.int().nonnegative(),
  phase: z.enum(TRAJECTORY_PHASES),
  split: z.enum(SPLITS),
  taskId: z.string(),
  taskType: z.string(),
  goal: z.string(),
  /** Group within the step; trajectories of a group share a baseline. Null outside training. */
  group: z.int().nonnegative().nullable(),
  /** Sample within the group or task. */
  sample: z.int().nonnegative(),
  decoding: z.enum(['greedy', 'sampled']),
  /** `evaluationKey` of the evaluation that it counts in; null outside evaluations. */
  evaluation: z.string().max(400).nullable().default(null),
  /** Seed of the trajectory's sampling; null where the source does not state it. */
  seed: z.int().nullable(),
  /** The environment's own reward, without shaping; null where the source does not state it. */
  reward: z.number().nullable(),
  /** The reward the recipe learns from. Null outside training. */
  shapedReward: z.number().nullable(),
  advantage: z.number().nullable(),
  /** The environment's won flag; null where the source does not state it: neither won nor lost. */
  success: z.boolean().nullable(),
  turnsCount: z.int().nonnegative(),
  /** Of the turns, the first ones, taken over from an earlier play of the task: tokens below are of the others alone. */
  givenTurns: z.int().nonnegative().default(0),
  invalidActions: z.int().nonnegative(),
  /** Tokens of every call, those that write a strategy or a memory included; null where the source does not state them. */
  promptTokens: z.int().nonnegative().nullable(),
  replyTokens: z.int().nonnegative().nullable(),
  /**
   * Of the prompt tokens, those that were computed for this trajectory; the others were reused. What trajectories of a
   * batch share counts for the first of them. Null where the engine did not say.
   */
  prefilledTokens: z.int().nonnegative().nullable().default(null),
  /**
   * Tokens of its data in the step's update, each pass counted, before an engine merges what data share: 0 where it was
   * left out of the update. Null outside training and where it was not counted.
   */
  trainedTokens: z.int().nonnegative().nullable().default(null),
  stopReason: z.enum(STOP_REASONS),
  flags: z.array(z.string()),
  /** Set where `stopReason` is `error`: the stage that failed and what it said. */
  error: z.object({ stage: z.string(), message: z.string() }).nullable(),
  /** What the agent wrote before its first turn and kept in view, where the scaffold asks for it. */
  strategy: z.string().nullable().default(null),
  turns: z.array(Turn),
  /** The state after the last action, by `encodeStatePicture`. */
  finalPicture: z.string().max(20_000).nullable(),
  /** The environment's answer to the last action. */
  finalObservation: z.string().nullable(),
});
export type Trajectory = z.infer<typeof Trajectory>;

/** A trajectory that was played here, whose reward and outcome the environment said. */
export type PlayedTrajectory = Omit<Trajectory, 'reward' | 'success' | 'turns'> & {
  reward: number;
  success: boolean;
  turns: PlayedTurn[];
};
