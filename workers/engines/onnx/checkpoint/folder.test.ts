import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelConfig, parameterCount, parameterSpecs } from '../model/parameters';
import { type Checkpoint, loadCheckpoint, saveCheckpoint } from './folder';
import { SafetensorsFile } from './safetensors';
import { weightPlaces } from './weight-layout';

const CONFIG: ModelConfig = {
  family: 'qwen2',
  vocabularySize: 7,
  hiddenSize: 32,
  layers: 2,
  heads: 2,
  keyValueHeads: 1,
  headSize: 16,
  attentionBias: false,
  intermediateSize: 5,
  ropeTheta: 500,
  rmsNormEps: 1e-5,
  tiedEmbeddings: false,
  maxPositions: 40,
};

/** Heads of 48 that together are wider than the hidden size. */
const QWEN3: ModelConfig = { ...CONFIG, family: 'qwen3', headSize: 48 };

/** Every parameter holds its own index, so that a misplaced one shows. */
function numbered(config: ModelConfig): Checkpoint {
  const parametersP = Float32Array.from({ length: parameterCount(config) }, (_, i) => i);
  return { config, parametersP, textFiles: { 'tokenizer.json': '{"a": 1}' }, optimizer: null };
}

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'checkpoint-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function readConfig(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(path, 'config.json'), 'utf8')) as Record<string, unknown>;
}

/** A saved folder with its `config.json` changed; what is undefined is left out. */
async function folderWith(
  name: string,
  overrides: Record<string, unknown>,
  model: ModelConfig = CONFIG,
): Promise<string> {
  const path = join(dir, name);
  await saveCheckpoint(path, numbered(model));
  writeFileSync(join(path, 'config.json'), JSON.stringify({ ...readConfig(path), ...overrides }));
  return path;
}

/** What a folder holds, but for the words of its `config.json`. */
async function loadWithoutWords(path: string): Promise<Checkpoint> {
  return { ...(await loadCheckpoint(path)), loadedConfig: undefined };
}

describe('a model folder', () => {
  it.each<[string, ModelConfig]>([
    ['Qwen2, tied', { ...CONFIG, tiedEmbeddings: true }],
    ['Qwen2, untied', CONFIG],
    ['Qwen2 with heads of their own size', { ...CONFIG, headSize: 48 }],
    ['Qwen3, tied', { ...QWEN3, tiedEmbeddings: true }],
    ['Qwen3, untied, with biases', { ...QWEN3, attentionBias: true }],
  ])('of %s comes back as it was saved, optimizer included', async (name, config) => {
    const saved = numbered(config);
    const size = saved.parametersP.length;
    saved.optimizer = {
      m: new Float32Array(size).fill(1e-30),
      v: new Float32Array(size).fill(0.1),
      updates: 17,
    };
    const path = join(dir, name);
    await saveCheckpoint(path, saved);
    expect(await loadWithoutWords(path)).toEqual(saved);
  });

  it('keeps what config.json says beside the computation, and states the computation anew', async () => {
    const path = await folderWith('words', {
      bos_token_id: 3,
      transformers_version: '5.1.0',
      max_window_layers: 2,
      layer_types: ['full_attention', 'full_attention'],
      architectures: ['Qwen2Model'],
      torch_dtype: undefined,
      dtype: 'bfloat16',
      rope_theta: undefined,
      rope_parameters: { rope_type: 'default', rope_theta: 1_000_000 },
    });
    const loaded = await loadCheckpoint(path);
    expect(loaded.config).toEqual({ ...CONFIG, ropeTheta: 1_000_000 });
    const again = join(dir, 'words-again');
    await saveCheckpoint(again, loaded);
    const { dtype: _, rope_parameters: __, ...kept } = readConfig(path);
    expect(readConfig(again)).toEqual({
      ...kept,
      architectures: ['Qwen2ForCausalLM'],
      torch_dtype: 'float32',
      rope_theta: 1_000_000,
    });
    expect((await loadCheckpoint(again)).config).toEqual(loaded.config);
  });

  it("holds Hugging Face's tensors, [out, in] and unfused", async () => {
    const path = join(dir, 'names');
    await saveCheckpoint(path, numbered(CONFIG));
    const file = await SafetensorsFile.open(join(path, 'model.safetensors'));
    const specs = new Map(parameterSpecs(CONFIG).map((spec) => [spec.name, spec]));
    const fused = (name: string, input: number, column: number): number => {
      const spec = specs.get(name);
      return (spec?.offset ?? NaN) + input * (spec?.shape[1] ?? NaN) + column;
    };
    const element = async (name: string, shape: [number, number], output: number, input: number) =>
      (await file.read(name, shape))[output * shape[1] + input];
    const attention = 'model.layers.1.self_attn';
    // Query columns come first (32), then the key's 16, then the value's 16.
    expect(await element(`${attention}.q_proj.weight`, [32, 32], 3, 9)).toBe(fused('1.qkvWeight', 9, 3));
    expect(await element(`${attention}.k_proj.weight`, [16, 32], 3, 9)).toBe(fused('1.qkvWeight', 9, 32 + 3));
    expect(await element(`${attention}.v_proj.weight`, [16, 32], 3, 9)).toBe(fused('1.qkvWeight', 9, 48 + 3));
    expect((await file.read(`${attention}.v_proj.bias`, [16]))[2]).toBe(
      (specs.get('1.qkvBias')?.offset ?? NaN) + 50,
    );
    expect(await element(`${attention}.o_proj.weight`, [32, 32], 4, 5)).toBe(fused('1.outputWeight', 5, 4));
    expect(await element('model.layers.0.mlp.gate_proj.weight', [5, 32], 4, 6)).toBe(
      fused('0.gateUpWeight', 6, 4),
    );
    expect(await element('model.layers.0.mlp.up_proj.weight', [5, 32], 4, 6)).toBe(
      fused('0.gateUpWeight', 6, 9),
    );
    expect(await element('model.layers.0.mlp.down_proj.weight', [32, 5], 8, 2)).toBe(
      fused('0.downWeight', 2, 8),
    );
    expect(await element('lm_head.weight', [7, 32], 6, 1)).toBe(fused('head', 6, 1));
    expect(await element('model.embed_tokens.weight', [7, 32], 6, 1)).toBe(6 * 32 + 1);
    expect(file.names).toHaveLength(2 * 12 + 3);
    await file.close();
  });

  it.each<[string, ModelConfig]>([
    ['Qwen2', CONFIG],
    ['Qwen2, tied', { ...CONFIG, tiedEmbeddings: true }],
    ['Qwen3', QWEN3],
    ['Qwen3 with biases', { ...QWEN3, attentionBias: true }],
  ])('places every parameter of %s exactly once', (_, config) => {
    const seen = new Uint8Array(parameterCount(config));
    for (const { shape, offset, rowStride } of weightPlaces(config)) {
      const [outputs = 1, inputs = 1] = shape;
      for (let output = 0; output < outputs; output++)
        for (let input = 0; input < inputs; input++) {
          const index =
            offset + (rowStride === undefined ? output * inputs + input : input * rowStride + output);
          seen[index] = (seen[index] ?? 0) + 1;
        }
    }
    expect(seen.every((times) => times === 1)).toBe(true);
  });

  it('replaces an older one of its name and leaves no partial folder behind', async () => {
    const path = join(dir, 'replaced');
    await saveCheckpoint(path, { ...numbered(CONFIG), textFiles: { 'chat_template.jinja': 'old' } });
    const newer = numbered(CONFIG);
    newer.parametersP.fill(3);
    await saveCheckpoint(path, newer);
    expect(await loadWithoutWords(path)).toEqual(newer);
    expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('never exists under its name when writing fails', async () => {
    const path = join(dir, 'failed');
    const broken = numbered(CONFIG);
    broken.optimizer = { m: new Float32Array(1), v: new Float32Array(1), updates: NaN };
    broken.parametersP = broken.parametersP.subarray(0, 5);
    await expect(saveCheckpoint(path, broken)).rejects.toThrow();
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('a folder the engine cannot compute', () => {
  it.each<[string, unknown, string]>([
    ['model_type', 'llama', 'model_type is "llama", supported: "qwen2" and "qwen3"'],
    ['model_type', undefined, 'model_type: is missing'],
    ['rope_scaling', { type: 'yarn' }, 'rope_scaling.rope_type is "yarn", supported: "default"'],
    [
      'rope_parameters',
      { rope_type: 'default', partial_rotary_factor: 0.5 },
      'rope_parameters.partial_rotary_factor is 0.5, supported: null',
    ],
    ['rope_theta', undefined, 'rope_theta is missing, and rope_parameters has none; expected a positive'],
    ['rms_norm_eps', undefined, 'rms_norm_eps: is missing'],
    ['hidden_act', 'gelu', 'hidden_act is "gelu", supported: "silu"'],
    ['use_sliding_window', true, 'use_sliding_window is true, supported: false'],
    [
      'layer_types',
      ['full_attention', 'sliding_attention'],
      'layer_types is ["full_attention","sliding_attention"], supported: "full_attention" alone',
    ],
    ['layer_types', ['full_attention'], 'layer_types is ["full_attention"], supported: 2 entries'],
    ['quantization_config', { quant_method: 'fp8' }, 'quantization_config is {"quant_method":"fp8"}'],
    ['hidden_size', 40, 'hidden_size is 40, supported: a multiple of 16 x 2 heads'],
    ['head_dim', 24, 'head_dim is 24, supported: a multiple of 16'],
    ['num_key_value_heads', 3, 'num_key_value_heads is 3, supported: a divisor of 2'],
    ['num_hidden_layers', 'two', 'num_hidden_layers: expected a number, got "two"'],
    ['num_hidden_layers', 1e9, 'num_hidden_layers: expected 1024 or less, got 1000000000'],
    ['tie_word_embeddings', 'yes', 'tie_word_embeddings: expected a boolean, got "yes"'],
    ['vocab_size', -1, 'vocab_size: expected more than 0, got -1'],
    ['vocab_size', 8, 'tensor "model.embed_tokens.weight" has shape [7, 32], expected [8, 32]'],
    ['vocab_size', 1e15, 'tensor "model.embed_tokens.weight" has shape [7, 32], expected [1000000000000000'],
    ['num_hidden_layers', 3, 'tensor "model.layers.2.input_layernorm.weight" is missing'],
    ['num_hidden_layers', 1, 'tensor "model.layers.1.input_layernorm.weight" belongs to no model'],
  ])('is refused for its %s = %j', async (field, value, message) => {
    const path = await folderWith('refused', { [field]: value });
    await expect(loadCheckpoint(path)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(loadCheckpoint(path)).rejects.toThrow(message);
    await expect(loadCheckpoint(path)).rejects.toThrow(join(path, ''));
  });

  it.each<[string, unknown, string]>([
    ['head_dim', undefined, 'q_proj.weight" has shape [96, 32], expected [256, 32]'],
    ['attention_bias', true, 'tensor "model.layers.0.self_attn.q_proj.bias" is missing'],
    ['model_type', 'qwen2', 'tensor "model.layers.0.self_attn.q_proj.bias" is missing'],
  ])('is refused for its %s = %j, which is not that of its Qwen3 weights', async (field, value, message) => {
    const path = await folderWith('refused', { [field]: value }, QWEN3);
    await expect(loadCheckpoint(path)).rejects.toThrow(message);
  });

  it('is refused where config.json is no object', async () => {
    const path = await folderWith('refused', {});
    writeFileSync(join(path, 'config.json'), '[]');
    await expect(loadCheckpoint(path)).rejects.toThrow(`${join(path, 'config.json')} is not valid`);
  });

  it('is refused where the optimizer is of another model', async () => {
    const path = join(dir, 'optimizer');
    const saved = numbered(CONFIG);
    await saveCheckpoint(path, {
      ...saved,
      optimizer: { m: new Float32Array(4), v: new Float32Array(4), updates: 1 },
    });
    await expect(loadCheckpoint(path)).rejects.toThrow('tensor "m" has shape [4]');
  });

  it('is refused where a moment of the optimizer is not finite', async () => {
    const path = join(dir, 'moment');
    const saved = numbered(CONFIG);
    const zeros = new Float32Array(saved.parametersP.length);
    await saveCheckpoint(path, { ...saved, optimizer: { m: zeros, v: zeros.with(5, Infinity), updates: 1 } });
    await expect(loadCheckpoint(path)).rejects.toThrow(
      'optimizer.safetensors: tensor "v" holds Infinity at [5], expected finite numbers',
    );
  });

  it('is not found where there is none', async () => {
    await expect(loadCheckpoint(join(dir, 'absent'))).rejects.toMatchObject({ code: 'not_found' });
  });
});
