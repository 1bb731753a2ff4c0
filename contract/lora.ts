import { z } from 'zod';

/**
 * Groups of a model's linear layers that take adapters: the protocol's `train_attn` (query, key, value and output
 * projections), `train_mlp` (gate, up and down projections) and `train_unembed` (the output head).
 */
export const LORA_TARGETS = ['attention', 'mlp', 'unembed'] as const;
export type LoraTarget = (typeof LORA_TARGETS)[number];

/** Alpha where nothing states another: what the Tinker protocol's servers use. */
export const DEFAULT_LORA_ALPHA = 32;

/** Low-rank adapters (Hu et al. 2021): instead of a matrix W an update of it is trained, (alpha / rank) A B. */
export const LoraSettings = z.strictObject({
  rank: z.int().min(1).max(4096).default(32).describe('Rank of each adapter: columns of A, rows of B'),
  alpha: z
    .number()
    .positive()
    .max(65_536)
    .default(DEFAULT_LORA_ALPHA)
    .describe('The update of a matrix is alpha / rank times A B'),
  targets: z
    .array(z.enum(LORA_TARGETS))
    .min(1, 'expected at least one group of layers')
    .refine((targets) => new Set(targets).size === targets.length, 'expected each group once')
    .default(['attention', 'mlp'])
    .describe('Groups of layers that have adapters; unembed is the output head'),
});
export type LoraSettings = z.infer<typeof LoraSettings>;

/** Adapters as an engine begins them. */
export const SeededLora = LoraSettings.extend({ seed: z.int().describe('Seed of their first values') });
export type SeededLora = z.infer<typeof SeededLora>;
