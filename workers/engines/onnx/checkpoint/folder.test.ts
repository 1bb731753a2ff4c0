import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelConfig, parameterCount, parameterSpecs } from '../model/parameters';
import { type Checkpoint, loadCheckpoint, saveCheckpoint } from './folder';
import { SafetensorsFile, writeSafetensors } from './safetensors';
import { weightPlaces } from './weight-layout';

const CONFIG: ModelConfig = {
  vocabularySize: 7,
  hiddenSize: 32,
  layers: 2,
  heads: 2,
  keyValueHeads: 1,
  intermediateSize: 5,
  ropeTheta: 500,
  rmsNormEps: 1e-5,
  tiedEmbeddings: false,
  maxPositions: 40,
};

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

/** A saved folder with its `config.json` changed. */
async function folderWith(name: string, overrides: Record<string, unknown>): Promise<string> {
  const path = join(dir, name);
  await saveCheckpoint(path, numbered(CONFIG));
  const config = JSON.parse(readFileSync(join(path, 'config.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(path, 'config.json'), JSON.stringify({ ...config, ...overrides }));
  return path;
}

describe('a model folder', () => {
  it.each([true, false])(
    'comes back as it was saved, optimizer included (tied: %s)',
    async (tiedEmbeddings) => {
      const saved = numbered({ ...CONFIG, tiedEmbeddings });
      const size = saved.parametersP.length;
      saved.optimizer = {
        m: new Float32Array(size).fill(1e-30),
        v: new Float32Array(size).fill(0.1),
        updates: 17,
      };
      const path = join(dir, `round-trip-${tiedEmbeddings}`);
      await saveCheckpoint(path, saved);
      expect(await loadCheckpoint(path)).toEqual(saved);
    },
  );

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

  it('places every parameter exactly once', () => {
    const seen = new Uint8Array(parameterCount(CONFIG));
    for (const { shape, offset, rowStride } of weightPlaces(CONFIG)) {
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

  it('is read in bf16 and from shards', async () => {
    const whole = join(dir, 'bf16');
    const saved = numbered(CONFIG);
    saved.parametersP.forEach((_, i) => (saved.parametersP[i] = (i % 256) - 128));
    await saveCheckpoint(whole, saved, 'BF16');
    expect(await loadCheckpoint(whole)).toEqual(saved);

    const sharded = join(dir, 'sharded');
    cpSync(whole, sharded, { recursive: true });
    rmSync(join(sharded, 'model.safetensors'));
    const source = await SafetensorsFile.open(join(whole, 'model.safetensors'));
    const map: Record<string, string> = {};
    for (const [index, { name, shape }] of weightPlaces(CONFIG).entries()) {
      map[name] = `model-${index}.safetensors`;
      const tensor = { name, shape, values: await source.read(name, shape), dtype: 'F32' as const };
      await writeSafetensors(join(sharded, `model-${index}.safetensors`), [tensor]);
    }
    await source.close();
    const index = join(sharded, 'model.safetensors.index.json');
    writeFileSync(index, JSON.stringify({ weight_map: map }));
    expect(await loadCheckpoint(sharded)).toEqual(saved);
    writeFileSync(
      index,
      JSON.stringify({ weight_map: { ...map, 'lm_head.weight': '../names/model.safetensors' } }),
    );
    await expect(loadCheckpoint(sharded)).rejects.toThrow(
      '"lm_head.weight" lies in "../names/model.safetensors"',
    );
    writeFileSync(index, JSON.stringify({ weight_map: { ...map, 'model.norm.weight': undefined } }));
    await expect(loadCheckpoint(sharded)).rejects.toThrow('tensor "model.norm.weight" is missing');
  });

  it('replaces an older one of its name and leaves no partial folder behind', async () => {
    const path = join(dir, 'replaced');
    await saveCheckpoint(path, { ...numbered(CONFIG), textFiles: { 'chat_template.jinja': 'old' } });
    const newer = numbered(CONFIG);
    newer.parametersP.fill(3);
    await saveCheckpoint(path, newer);
    expect(await loadCheckpoint(path)).toEqual(newer);
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
  it.each([
    ['model_type', 'llama', 'model_type is "llama", supported: "qwen2"'],
    ['rope_scaling', { type: 'yarn' }, 'rope_scaling is {"type":"yarn"}, supported: null'],
    ['hidden_act', 'gelu', 'hidden_act is "gelu", supported: "silu"'],
    ['use_sliding_window', true, 'use_sliding_window is true, supported: false'],
    ['hidden_size', 40, 'hidden_size is 40, supported: "a multiple of 16 x 2 heads"'],
    ['num_key_value_heads', 3, 'num_key_value_heads is 3'],
    ['num_hidden_layers', 'two', 'num_hidden_layers'],
    ['vocab_size', 8, 'tensor "model.embed_tokens.weight" has shape [7, 32], expected [8, 32]'],
    ['num_hidden_layers', 3, 'tensor "model.layers.2.input_layernorm.weight" is missing'],
  ])('is refused for its %s = %j', async (field, value, message) => {
    const path = await folderWith('refused', { [field]: value });
    await expect(loadCheckpoint(path)).rejects.toThrow(message);
    await expect(loadCheckpoint(path)).rejects.toThrow(path);
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

  it('is not found where there is none', async () => {
    await expect(loadCheckpoint(join(dir, 'absent'))).rejects.toMatchObject({ code: 'not_found' });
  });
});
