import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomParameters } from '../../../testing/tiny-model';
import type { ModelConfig } from '../model/parameters';
import { saveCheckpoint } from './folder';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'transformers-names-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Hidden size 40 and 3 heads of 16, so that no two sizes are equal by accident. */
const SHAPE = {
  vocabularySize: 7,
  hiddenSize: 40,
  layers: 1,
  heads: 3,
  keyValueHeads: 1,
  headSize: 16,
  intermediateSize: 24,
  ropeTheta: 500,
  rmsNormEps: 1e-5,
  maxPositions: 64,
};

/**
 * Names and shapes as transformers' modelling code registers them: `Qwen2Attention` has biases on q, k and v alone,
 * `Qwen3Attention` one for each projection where `attention_bias` is set, and norms over the head size.
 */
const QWEN2_TIED = {
  'model.embed_tokens.weight': [7, 40],
  'model.layers.0.input_layernorm.weight': [40],
  'model.layers.0.self_attn.q_proj.weight': [48, 40],
  'model.layers.0.self_attn.q_proj.bias': [48],
  'model.layers.0.self_attn.k_proj.weight': [16, 40],
  'model.layers.0.self_attn.k_proj.bias': [16],
  'model.layers.0.self_attn.v_proj.weight': [16, 40],
  'model.layers.0.self_attn.v_proj.bias': [16],
  'model.layers.0.self_attn.o_proj.weight': [40, 48],
  'model.layers.0.post_attention_layernorm.weight': [40],
  'model.layers.0.mlp.gate_proj.weight': [24, 40],
  'model.layers.0.mlp.up_proj.weight': [24, 40],
  'model.layers.0.mlp.down_proj.weight': [40, 24],
  'model.norm.weight': [40],
};
const QWEN3_TIED = {
  'model.embed_tokens.weight': [7, 40],
  'model.layers.0.input_layernorm.weight': [40],
  'model.layers.0.self_attn.q_proj.weight': [48, 40],
  'model.layers.0.self_attn.k_proj.weight': [16, 40],
  'model.layers.0.self_attn.v_proj.weight': [16, 40],
  'model.layers.0.self_attn.o_proj.weight': [40, 48],
  'model.layers.0.self_attn.q_norm.weight': [16],
  'model.layers.0.self_attn.k_norm.weight': [16],
  'model.layers.0.post_attention_layernorm.weight': [40],
  'model.layers.0.mlp.gate_proj.weight': [24, 40],
  'model.layers.0.mlp.up_proj.weight': [24, 40],
  'model.layers.0.mlp.down_proj.weight': [40, 24],
  'model.norm.weight': [40],
};
const QWEN3_BIASES = {
  'model.layers.0.self_attn.q_proj.bias': [48],
  'model.layers.0.self_attn.k_proj.bias': [16],
  'model.layers.0.self_attn.v_proj.bias': [16],
  'model.layers.0.self_attn.o_proj.bias': [40],
};
const HEAD = { 'lm_head.weight': [7, 40] };

const CASES: [name: string, overrides: Partial<ModelConfig>, tensors: Record<string, number[]>][] = [
  ['Qwen2, tied', { family: 'qwen2', tiedEmbeddings: true }, QWEN2_TIED],
  ['Qwen2, untied', { family: 'qwen2', tiedEmbeddings: false }, { ...QWEN2_TIED, ...HEAD }],
  [
    'Qwen2, whose biases attention_bias does not touch',
    { family: 'qwen2', tiedEmbeddings: true, attentionBias: false },
    QWEN2_TIED,
  ],
  ['Qwen3, tied', { family: 'qwen3', tiedEmbeddings: true }, QWEN3_TIED],
  ['Qwen3, untied', { family: 'qwen3', tiedEmbeddings: false }, { ...QWEN3_TIED, ...HEAD }],
  [
    'Qwen3, tied, with attention_bias',
    { family: 'qwen3', tiedEmbeddings: true, attentionBias: true },
    { ...QWEN3_TIED, ...QWEN3_BIASES },
  ],
];

it.each(CASES)(
  'a saved folder of %s has the names and shapes that transformers expects',
  async (_, overrides, tensors) => {
    const config: ModelConfig = { ...SHAPE, tiedEmbeddings: true, ...overrides };
    const parametersP = randomParameters(config, 1);
    const path = join(dir, 'saved');
    await saveCheckpoint(path, { config, parametersP, textFiles: {}, optimizer: null });
    expect(readShapes(join(path, 'model.safetensors'))).toEqual(tensors);
    const json: unknown = JSON.parse(readFileSync(join(path, 'config.json'), 'utf8'));
    expect(json).toMatchObject({
      architectures: [config.family === 'qwen3' ? 'Qwen3ForCausalLM' : 'Qwen2ForCausalLM'],
      model_type: config.family,
      head_dim: 16,
      tie_word_embeddings: config.tiedEmbeddings,
      ...(config.family === 'qwen3' && { attention_bias: config.attentionBias ?? false }),
    });
  },
);

/** Shape by tensor name, straight from the file's header. */
function readShapes(path: string): Record<string, number[]> {
  const bytes = readFileSync(path);
  const headerBytes = Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerBytes)) as Record<
    string,
    { shape: number[] }
  >;
  const tensors = Object.entries(header).filter(([name]) => name !== '__metadata__');
  return Object.fromEntries(tensors.map(([name, { shape }]) => [name, shape]));
}
