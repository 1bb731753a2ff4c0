import { z } from 'zod';

/** Replies of some length, gone on with from some depth. */
const ContinuationRow = z.object({
  /** Share of the student's reply that the teacher was given; 1 = the student's own whole reply. */
  depth: z.number().min(0).max(1),
  /** Reply tokens of the student from this on. */
  fromTokens: z.int().nonnegative(),
  /** And below this; null = without end. */
  toTokens: z.int().positive().nullable(),
  n: z.int().nonnegative(),
  /** Those whose whole text keeps the scaffold's format. */
  wellFormed: z.int().nonnegative(),
});
export type ContinuationRow = z.infer<typeof ContinuationRow>;

/** How well a teacher goes on from the beginnings of its student's replies. */
export const ContinuationTable = z.object({
  step: z.int().positive(),
  teacher: z.string(),
  /** By depth, over all lengths first and then by length. */
  rows: z.array(ContinuationRow).max(200),
});
export type ContinuationTable = z.infer<typeof ContinuationTable>;
