import { z } from 'zod';

/**
 * Who scores turns. `oracle`: the environment's own expert, which knows the hidden state; what it says is never compared with
 * what a language model (`llm`) says.
 */
export const JudgeName = z.object({ kind: z.enum(['oracle', 'llm']), name: z.string() });
export type JudgeName = z.infer<typeof JudgeName>;

/** `oracle babyai`, `LLM glm-5.1`. */
export function judgeWords({ kind, name }: JudgeName): string {
  return kind === 'oracle' ? `oracle ${name}` : `LLM ${name}`;
}

/** A share; null where its denominator is 0. */
const share = z.number().nullable();

/** How often the outcome blames turns that the judge does not, of one task type or, with null, of all. */
const OutcomeNoiseRow = z.object({
  taskType: z.string().nullable(),
  /** Scored turns. */
  n: z.int().nonnegative(),
  /** Those of failed trajectories. */
  failed: z.int().nonnegative(),
  /** failed / n */
  failRate: share,
  /** P(judge >= 0 | failed) */
  soundGivenFailed: share,
  /** P(judge >= 0.5 | failed) */
  goodGivenFailed: share,
  /** P(judge >= 0 and failed), of n */
  soundAndFailed: share,
});

/** What a judge said of the turns of some steps, beside their outcomes and lengths. */
export const JudgeTable = z.object({
  judge: JudgeName,
  fromStep: z.int().positive(),
  toStep: z.int().positive(),
  /** Turns that got no score: they are in no figure. */
  unscored: z.int().nonnegative(),
  /** All first, then task types by name. */
  rows: z.array(OutcomeNoiseRow).max(200),
  /** Spearman's correlation of a turn's reply tokens with its score; null where one of them is constant. */
  lengthCorrelation: z.number().nullable(),
  /** Mean score by fifths of the turns, the shortest replies first. */
  quintiles: z.array(
    z.object({
      n: z.int().positive(),
      /** Reply tokens of its shortest and longest. */
      shortest: z.int(),
      longest: z.int(),
      score: z.number(),
    }),
  ),
});
export type JudgeTable = z.infer<typeof JudgeTable>;
export type OutcomeNoiseRow = JudgeTable['rows'][number];
