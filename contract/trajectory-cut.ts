import { z } from 'zod';

/** A transcript with more bytes of text or more tokens than this altogether is read turn by turn. */
export const WHOLE_BYTES = 400_000;
export const WHOLE_TOKENS = 20_000;

/** Characters of a text that a cut turn keeps. */
export const KEPT_CHARACTERS = 2_000;

/** `GET /trajectories/:trajectoryId?cut=true`: long transcripts come with their turns cut. */
export const TrajectoryParameters = z.object({ cut: z.enum(['true', 'false']).default('false') });

/** What a cut turn lacks: ends of texts beyond `KEPT_CHARACTERS`, and all its tokens. `GET /trajectories/:id/turns/:index` has it whole. */
export interface TurnCut {
  index: number;
  /** Characters of all its texts. */
  characters: number;
  /** Tokens of the reply that are recorded; 0 where none are. */
  tokens: number;
  /** Mean log-probability of the reply's sampled tokens, in nats; null where none is recorded. */
  meanLogprob: number | null;
}
