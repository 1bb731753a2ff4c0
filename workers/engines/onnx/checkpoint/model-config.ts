import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { headSize, type ModelConfig, type ModelFamily } from '../model/parameters';

const count = z.number().int().positive();

/** Bounds of what a file may make the engine build before its weights are looked at. */
const MAX_LAYERS = 1024;
const MAX_POSITIONS = 2 ** 20;

/** Qwen3's head size where its config states none, as in transformers' `Qwen3Config`. */
const QWEN3_HEAD_SIZE = 128;

const ARCHITECTURES: Record<ModelFamily, string> = { qwen2: 'Qwen2ForCausalLM', qwen3: 'Qwen3ForCausalLM' };

const ropeSchema = z.looseObject({
  rope_type: z.string().optional(),
  /** An older name of `rope_type`. */
  type: z.string().optional(),
  rope_theta: z.number().positive().optional(),
});

/**
 * What of a Hugging Face `config.json` decides the computation. What no tensor's shape would betray (`rope_theta`,
 * `rms_norm_eps`, `max_position_embeddings`) has no default, so that a misspelt key is not passed over.
 */
const configSchema = z.object({
  model_type: z.string(),
  vocab_size: count,
  hidden_size: count,
  num_hidden_layers: count.max(MAX_LAYERS),
  num_attention_heads: count,
  num_key_value_heads: count.nullish(),
  head_dim: count.nullish(),
  attention_bias: z.boolean().default(false),
  intermediate_size: count,
  max_position_embeddings: count.max(MAX_POSITIONS),
  rms_norm_eps: z.number().positive(),
  rope_theta: z.number().positive().optional(),
  rope_scaling: ropeSchema.nullish(),
  rope_parameters: ropeSchema.nullish(),
  use_sliding_window: z.boolean().default(false),
  layer_types: z.array(z.string()).nullish(),
  hidden_act: z.string().default('silu'),
  tie_word_embeddings: z.boolean().default(false),
  quantization_config: z.unknown().optional(),
});

type RawConfig = z.infer<typeof configSchema>;

/** Keys that say the same as one that is written, in the words of another release of transformers. */
const SYNONYMS = ['rope_scaling', 'rope_parameters', 'dtype'];

/**
 * Reads the model's shape from a parsed `config.json`, by the rules of transformers' `Qwen2Config` and `Qwen3Config`.
 * Throws `invalid_input`, naming file, field, value and what is supported, for another architecture or a feature the
 * graphs do not compute.
 */
export function parseModelConfig(path: string, json: unknown): ModelConfig {
  const raw = parseOrThrow(configSchema, json, path);
  const family = requireComputable(path, raw);
  return {
    family,
    vocabularySize: raw.vocab_size,
    hiddenSize: raw.hidden_size,
    layers: raw.num_hidden_layers,
    heads: raw.num_attention_heads,
    keyValueHeads: raw.num_key_value_heads ?? raw.num_attention_heads,
    headSize: headSizeOf(path, raw, family),
    attentionBias: family === 'qwen3' && raw.attention_bias,
    intermediateSize: raw.intermediate_size,
    ropeTheta: ropeThetaOf(path, raw),
    rmsNormEps: raw.rms_norm_eps,
    tiedEmbeddings: raw.tie_word_embeddings,
    maxPositions: raw.max_position_embeddings,
  };
}

function unsupported(path: string, field: string, value: unknown, supported: string): AppError {
  const message = `${field} is ${JSON.stringify(value)}, supported: ${supported}`;
  return new AppError('invalid_input', `${path}: ${message}`, [{ path: field, message }]);
}

/** Throws for the first feature that the graphs do not compute; returns the family. */
function requireComputable(path: string, raw: RawConfig): ModelFamily {
  const family = raw.model_type;
  if (family !== 'qwen2' && family !== 'qwen3')
    throw unsupported(path, 'model_type', family, '"qwen2" and "qwen3"');
  const { num_hidden_layers: layers, num_attention_heads: heads, layer_types: layerTypes } = raw;
  const quantization = raw.quantization_config ?? null;
  const keyValueHeads = raw.num_key_value_heads ?? heads;
  const isFull = !layerTypes || layerTypes.every((type) => type === 'full_attention');
  const required: [field: string, value: unknown, supported: string, holds: boolean][] = [
    ['hidden_act', raw.hidden_act, '"silu"', raw.hidden_act === 'silu'],
    ['use_sliding_window', raw.use_sliding_window, 'false', !raw.use_sliding_window],
    ['layer_types', layerTypes, '"full_attention" alone', isFull],
    ['layer_types', layerTypes, `${layers} entries`, (layerTypes?.length ?? layers) === layers],
    ['quantization_config', quantization, 'null', quantization === null],
    ['num_key_value_heads', keyValueHeads, `a divisor of ${heads}`, heads % keyValueHeads === 0],
  ];
  for (const [field, value, supported, holds] of required)
    if (!holds) throw unsupported(path, field, value, supported);
  if (raw.rope_scaling) requirePlainRotation(path, 'rope_scaling', raw.rope_scaling);
  if (raw.rope_parameters) requirePlainRotation(path, 'rope_parameters', raw.rope_parameters);
  return family;
}

function requirePlainRotation(path: string, field: string, rope: z.infer<typeof ropeSchema>): void {
  const type = rope.rope_type ?? rope.type ?? 'default';
  if (type !== 'default') throw unsupported(path, `${field}.rope_type`, type, '"default"');
  for (const [name, value] of Object.entries(rope))
    if (!(name in ropeSchema.shape) && value !== null)
      throw unsupported(path, `${field}.${name}`, value, 'null');
}

/** The fused attention kernel takes head sizes that are multiples of 16. */
function headSizeOf(path: string, raw: RawConfig, family: ModelFamily): number {
  const { num_attention_heads: heads, hidden_size: hiddenSize } = raw;
  const stated = raw.head_dim ?? (family === 'qwen3' ? QWEN3_HEAD_SIZE : null);
  if (stated !== null) {
    if (stated % 16 !== 0) throw unsupported(path, 'head_dim', stated, 'a multiple of 16');
    return stated;
  }
  if (hiddenSize % (16 * heads) !== 0)
    throw unsupported(
      path,
      'hidden_size',
      hiddenSize,
      `a multiple of 16 x ${heads} heads, for there is no head_dim`,
    );
  return hiddenSize / heads;
}

/** transformers 5 keeps the base frequency in `rope_parameters`, which therefore wins over the older key. */
function ropeThetaOf(path: string, raw: RawConfig): number {
  const theta = raw.rope_parameters?.rope_theta ?? raw.rope_scaling?.rope_theta ?? raw.rope_theta;
  if (theta === undefined)
    throw new AppError(
      'invalid_input',
      `${path}: rope_theta is missing, and rope_parameters has none; expected a positive number`,
      [{ path: 'rope_theta', message: 'is missing; expected a positive number' }],
    );
  return theta;
}

/**
 * The `config.json` of a model with this shape, as transformers 4 and 5 read it. Keys of `loaded`, the file that the model
 * came with, that say nothing of the computation (`bos_token_id`) stay as they are.
 */
export function renderModelConfig(
  config: ModelConfig,
  dtype: 'float32' | 'bfloat16' | 'float16',
  loaded: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { family = 'qwen2', hiddenSize, heads } = config;
  const hd = headSize(config);
  const others = Object.entries(loaded).filter(([key]) => !SYNONYMS.includes(key));
  return {
    ...Object.fromEntries(others),
    architectures: [ARCHITECTURES[family]],
    model_type: family,
    vocab_size: config.vocabularySize,
    hidden_size: hiddenSize,
    num_hidden_layers: config.layers,
    num_attention_heads: heads,
    num_key_value_heads: config.keyValueHeads,
    ...((family === 'qwen3' || hd !== hiddenSize / heads) && { head_dim: hd }),
    ...(family === 'qwen3' && { attention_bias: config.attentionBias ?? false }),
    intermediate_size: config.intermediateSize,
    max_position_embeddings: config.maxPositions,
    rms_norm_eps: config.rmsNormEps,
    rope_theta: config.ropeTheta,
    hidden_act: 'silu',
    tie_word_embeddings: config.tiedEmbeddings,
    torch_dtype: dtype,
  };
}
