import { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { ModelConfig } from '../model/parameters';

const count = z.number().int().positive();

/** What of a Hugging Face `config.json` decides the computation; other keys are kept as they are. */
const configSchema = z.looseObject({
  model_type: z.string(),
  vocab_size: count,
  hidden_size: count,
  num_hidden_layers: count,
  num_attention_heads: count,
  num_key_value_heads: count.optional(),
  head_dim: count.nullish(),
  intermediate_size: count,
  max_position_embeddings: count,
  rms_norm_eps: z.number().positive().default(1e-6),
  rope_theta: z.number().positive().optional(),
  rope_scaling: z.unknown().optional(),
  rope_parameters: z.looseObject({ rope_type: z.string(), rope_theta: z.number().positive() }).nullish(),
  use_sliding_window: z.boolean().default(false),
  hidden_act: z.string().default('silu'),
  tie_word_embeddings: z.boolean().default(false),
});

/**
 * Reads the model's shape from a parsed `config.json`. Throws `invalid_input`, naming file, field and what is
 * supported, for another architecture or a feature the graphs do not compute.
 */
export function parseModelConfig(path: string, json: unknown): ModelConfig {
  const parsed = configSchema.safeParse(json);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({
      path: issue.path.join('.'),
      message: issue.message,
    }));
    const first = issues[0];
    throw new AppError(
      'invalid_input',
      `${path}: ${first?.path ?? ''}: ${first?.message ?? 'malformed'}`,
      issues,
    );
  }
  const raw = parsed.data;
  const requireValue = (
    field: string,
    value: unknown,
    supported: unknown,
    holds = value === supported,
  ): void => {
    if (holds) return;
    const message = `${field} is ${JSON.stringify(value)}, supported: ${JSON.stringify(supported)}`;
    throw new AppError('invalid_input', `${path}: ${message}`, [{ path: field, message }]);
  };
  const heads = raw.num_attention_heads;
  const keyValueHeads = raw.num_key_value_heads ?? heads;
  requireValue('model_type', raw.model_type, 'qwen2');
  requireValue('hidden_act', raw.hidden_act, 'silu');
  requireValue('use_sliding_window', raw.use_sliding_window, false);
  requireValue('rope_scaling', raw.rope_scaling ?? null, null);
  if (raw.rope_parameters)
    requireValue('rope_parameters.rope_type', raw.rope_parameters.rope_type, 'default');
  // The fused attention kernel takes head sizes that are multiples of 16.
  requireValue(
    'hidden_size',
    raw.hidden_size,
    `a multiple of 16 x ${heads} heads`,
    raw.hidden_size % (16 * heads) === 0,
  );
  requireValue('head_dim', raw.head_dim ?? raw.hidden_size / heads, raw.hidden_size / heads);
  requireValue('num_key_value_heads', keyValueHeads, `a divisor of ${heads}`, heads % keyValueHeads === 0);
  return {
    vocabularySize: raw.vocab_size,
    hiddenSize: raw.hidden_size,
    layers: raw.num_hidden_layers,
    heads,
    keyValueHeads,
    intermediateSize: raw.intermediate_size,
    ropeTheta: raw.rope_parameters?.rope_theta ?? raw.rope_theta ?? 10_000,
    rmsNormEps: raw.rms_norm_eps,
    tiedEmbeddings: raw.tie_word_embeddings,
    maxPositions: raw.max_position_embeddings,
  };
}

/** The `config.json` of a model with this shape, as Hugging Face's Qwen2 reads it. */
export function renderModelConfig(
  config: ModelConfig,
  dtype: 'float32' | 'bfloat16',
): Record<string, unknown> {
  return {
    architectures: ['Qwen2ForCausalLM'],
    model_type: 'qwen2',
    vocab_size: config.vocabularySize,
    hidden_size: config.hiddenSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.keyValueHeads,
    intermediate_size: config.intermediateSize,
    max_position_embeddings: config.maxPositions,
    rms_norm_eps: config.rmsNormEps,
    rope_theta: config.ropeTheta,
    hidden_act: 'silu',
    tie_word_embeddings: config.tiedEmbeddings,
    torch_dtype: dtype,
  };
}
