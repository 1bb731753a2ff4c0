import { z } from 'zod';
import { CheckpointReference } from './checkpoint';
import type { RunStatus } from './run';

/**
 * What of a reply counts as its action. `action`: the tokens that spell it. `after-thought`: the reply does not spell
 * it, as a tool call, so all that follows the thought but the token that ends the reply.
 */
const ACTION_PARTS = ['action', 'after-thought'] as const;
export type ActionPart = (typeof ACTION_PARTS)[number];

/** Id of a recorded trajectory. */
export const TrajectoryId = z.string().regex(/^\d{1,18}$/, 'expected the id of a trajectory');

/** A sum of log-probabilities in nats, at temperature 1, and over how many tokens. */
const TokenSum = z.object({ logprob: z.number().nullable(), tokens: z.int().positive() });

/** How likely a recorded reply is to a checkpoint that is given the recorded prompt and, token by token, the reply itself. */
export const TurnScore = z.object({
  turn: z.int().nonnegative(),
  /** Null where the reply holds no action. */
  action: TokenSum.extend({ part: z.enum(ACTION_PARTS) }).nullable(),
  reply: TokenSum,
});
export type TurnScore = z.infer<typeof TurnScore>;

/** Every turn of a recorded trajectory under a checkpoint, which need not be the one that played it. */
export const ActionScores = z.object({
  trajectoryId: TrajectoryId,
  checkpoint: CheckpointReference,
  /** Why it could not be scored; null where it was. */
  refusal: z.string().max(2000).nullable(),
  /** In their order; none where refused. */
  turns: z.array(TurnScore).max(10_000),
});
export type ActionScores = z.infer<typeof ActionScores>;

/** The probability a sum of log-probabilities stands for; null where it is unknown. */
export function probabilityOf({ logprob }: { logprob: number | null }): number | null {
  return logprob === null ? null : Math.exp(logprob);
}

/** Body of `POST /action-scores`: each trajectory is scored under the checkpoint that played it and under the other's. */
export const ActionScoresRequest = z.strictObject({ trajectories: z.array(TrajectoryId).min(1).max(2) });
export type ActionScoresRequest = z.infer<typeof ActionScoresRequest>;

/** The checkpoint that played a recorded trajectory, and why it cannot work again; null obstacle where it can. */
export interface PlayingCheckpoint {
  trajectoryId: string;
  /** Null where it has no weights: an import, a model behind an API. */
  checkpoint: CheckpointReference | null;
  obstacle: string | null;
}

/** A run that was asked for, of one checkpoint. */
export interface RequestedRun {
  runId: string;
  checkpoint: CheckpointReference;
  status: RunStatus;
  reason: string | null;
}

/** `GET /action-scores?trajectory=A&trajectory=B`, and the answer of the POST. */
export interface ActionScoresAnswer {
  sides: PlayingCheckpoint[];
  /** The newest of each trajectory under each side's checkpoint. */
  scores: ActionScores[];
  /** The newest run that was asked for, of each side's checkpoint. */
  requests: RequestedRun[];
}
