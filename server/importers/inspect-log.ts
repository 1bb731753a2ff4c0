import { z } from 'zod';

/** Content of a message: text, or parts of which the texts count. */
const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional(), reasoning: z.string().optional() })),
]);

export const InspectSample = z.object({
  id: z.union([z.string(), z.number()]),
  epoch: z.int().positive().default(1),
  messages: z.array(z.object({ role: z.string(), content: Content })),
  scores: z.record(z.string(), z.looseObject({ value: z.unknown() })).nullish(),
  model_usage: z
    .record(z.string(), z.object({ input_tokens: z.int().nullish(), output_tokens: z.int().nullish() }))
    .nullish(),
  error: z.unknown().optional(),
});
export type InspectSample = z.infer<typeof InspectSample>;

export const InspectHeader = z.object({
  status: z.string().optional(),
  eval: z.looseObject({
    task: z.string(),
    task_version: z.union([z.number(), z.string()]).nullish(),
    model: z.string(),
    created: z.string().optional(),
    dataset: z.looseObject({ name: z.string().nullish() }).nullish(),
    config: z.looseObject({ epochs: z.int().positive().nullish() }).nullish(),
  }),
  plan: z
    .looseObject({
      steps: z.array(z.looseObject({ solver: z.string() })).nullish(),
      config: z
        .looseObject({
          temperature: z.number().nullish(),
          top_p: z.number().nullish(),
          top_k: z.int().nullish(),
          seed: z.int().nullish(),
        })
        .nullish(),
    })
    .nullish(),
  results: z
    .looseObject({
      total_samples: z.int().nullish(),
      scores: z
        .array(
          z.looseObject({
            name: z.string(),
            metrics: z.record(z.string(), z.looseObject({ value: z.unknown() })),
          }),
        )
        .nullish(),
    })
    .nullish(),
  samples: z.array(z.unknown()).nullish(),
});
export type InspectHeader = z.infer<typeof InspectHeader>;

/** The texts of a message, its reasoning first. */
export function textOf(content: z.infer<typeof Content>): string {
  if (typeof content === 'string') return content;
  return content.map(({ text, reasoning }) => reasoning ?? text ?? '').join('\n');
}

/**
 * A sample's first score as a number, by Inspect's rule: `C` is 1, `P` half, `I` and `N` 0; numbers and truth values as they are,
 * also where they are written as text.
 * A success is a value of 1.
 */
export function scoreOf({ scores }: InspectSample): { value: number; isSuccess: boolean; isScored: boolean } {
  const [first] = Object.values(scores ?? {});
  const value = first === undefined ? null : numberOf(first.value);
  return { value: value ?? 0, isSuccess: value !== null && value >= 1, isScored: value !== null };
}

const LETTERS = new Map([
  ['C', 1],
  ['P', 0.5],
  ['I', 0],
  ['N', 0],
]);
const TRUTHS = new Map([
  ['yes', 1],
  ['true', 1],
  ['no', 0],
  ['false', 0],
]);

function numberOf(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  const written = word === '' ? NaN : Number(word);
  return LETTERS.get(value) ?? TRUTHS.get(word) ?? (Number.isFinite(written) ? written : null);
}
