import { LORA_TARGETS, type LoraTarget, type SeededLora } from '@/contract/lora';
import type { LoraConfig } from '../tinker/wire';
import { Refusal } from './refusal';

const FLAGS = {
  attention: 'train_attn',
  mlp: 'train_mlp',
  unembed: 'train_unembed',
} as const satisfies Record<LoraTarget, keyof LoraConfig>;

/**
 * The adapters that a client asks for; null where all parameters are to be trained. Refuses with 400 a rank above `maxRank`
 * and adapters on nothing.
 */
export function requestedLora(config: LoraConfig | null | undefined, maxRank: number): SeededLora | null {
  if (!config || config.rank === 0) return null;
  const { rank, alpha, seed } = config;
  if (rank > maxRank)
    throw new Refusal(
      400,
      `lora_config.rank is ${rank}, expected at most ${maxRank} (--max-lora-rank), or 0 to train all parameters`,
    );
  const targets = LORA_TARGETS.filter((target) => config[FLAGS[target]]);
  if (targets.length === 0)
    throw new Refusal(
      400,
      `lora_config: ${Object.values(FLAGS).join(', ')} are all false, expected at least one to be true`,
    );
  return { rank, alpha, targets, seed: seed ?? 0 };
}

/** What the protocol's answers say of a model's adapters. */
export function describeLora(lora: SeededLora | null): { is_lora: boolean; lora_rank: number | null } {
  return { is_lora: lora !== null, lora_rank: lora?.rank ?? null };
}

/** The groups that have adapters, as the protocol's answers name them. */
export function trainedFlags(lora: SeededLora | null): Record<string, boolean> {
  return Object.fromEntries(
    LORA_TARGETS.map((target) => [FLAGS[target], lora === null || lora.targets.includes(target)]),
  );
}
