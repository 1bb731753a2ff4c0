import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelConfig, parameterCount, parameterSpecs } from '../model/parameters';
import { float32ToBfloat16, float32ToFloat16 } from './half-precision';
import type { WeightType } from './safetensors';
import { extractWeight, weightPlaces } from './weight-layout';
import { readWeights, writeWeights } from './weight-files';

const CONFIG: ModelConfig = {
  family: 'qwen3',
  vocabularySize: 7,
  hiddenSize: 32,
  layers: 2,
  heads: 2,
  keyValueHeads: 1,
  headSize: 16,
  intermediateSize: 5,
  ropeTheta: 500,
  rmsNormEps: 1e-5,
  tiedEmbeddings: true,
  maxPositions: 40,
};
const INDEX = 'model.safetensors.index.json';

/** Whole numbers of few bits, which every element type holds exactly. */
function wholeNumbers(): Float32Array {
  return Float32Array.from({ length: parameterCount(CONFIG) }, (_, i) => (i % 128) - 64);
}

let root: string;
let dir: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'weight-files-'));
});
beforeEach(() => {
  dir = mkdtempSync(join(root, 'model-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Index {
  metadata: { total_size: number };
  weight_map: Record<string, string>;
}

function readIndex(): Index {
  return JSON.parse(readFileSync(join(dir, INDEX), 'utf8')) as Index;
}

/** Writes the model's one file by hand, each tensor in the type `typeOf` gives it and with its bytes as `change` leaves them. */
function writeByHand(parametersP: Float32Array, typeOf: (tensor: number) => WeightType): void {
  const header: Record<string, unknown> = {};
  const parts: Buffer[] = [];
  let offset = 0;
  weightPlaces(CONFIG).forEach((place, tensor) => {
    const dtype = typeOf(tensor);
    const values = extractWeight(place, parametersP);
    const encode = {
      F32: () => values,
      BF16: () => float32ToBfloat16(values),
      F16: () => float32ToFloat16(values),
    };
    const data = encode[dtype]();
    parts.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    const end = offset + data.byteLength;
    header[place.name] = { dtype, shape: place.shape, data_offsets: [offset, end] };
    offset = end;
  });
  writeFile(header, parts);
}

function writeFile(header: Record<string, unknown>, parts: Buffer[]): void {
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  writeFileSync(join(dir, 'model.safetensors'), Buffer.concat([size, text, ...parts]));
}

describe('weights', () => {
  it('are one file up to the limit, and shards of consecutive tensors with an index above it', async () => {
    const parametersP = wholeNumbers();
    const bytes = 4 * parametersP.length;
    await writeWeights(dir, CONFIG, parametersP, { maxShardBytes: bytes });
    expect(readdirSync(dir)).toEqual(['model.safetensors']);
    rmSync(join(dir, 'model.safetensors'));

    const maxShardBytes = 12_000;
    await writeWeights(dir, CONFIG, parametersP, { maxShardBytes });
    const files = readdirSync(dir).filter((name) => name.endsWith('.safetensors'));
    expect(files.length).toBeGreaterThan(2);
    files.forEach((name, index) =>
      expect(name).toBe(`model-0000${index + 1}-of-0000${files.length}.safetensors`),
    );
    const { metadata, weight_map: weightMap } = readIndex();
    expect(metadata.total_size).toBe(bytes);
    const places = weightPlaces(CONFIG);
    expect(Object.keys(weightMap)).toEqual(places.map(({ name }) => name));
    expect(Object.values(weightMap)).toEqual(Object.values(weightMap).sort());
    for (const name of files) {
      const held = places.filter((place) => weightMap[place.name] === name);
      const size = held.reduce((sum, { shape }) => sum + 4 * shape.reduce((a, b) => a * b, 1), 0);
      expect(size).toBeLessThanOrEqual(maxShardBytes);
      expect(statSync(join(dir, name)).size).toBeGreaterThan(size);
    }
    expect(await readWeights(dir, CONFIG)).toEqual(parametersP);
  });

  it('have a shard to themselves where one tensor alone is above the limit', async () => {
    const parametersP = wholeNumbers();
    await writeWeights(dir, CONFIG, parametersP, { dtype: 'BF16', maxShardBytes: 1 });
    expect(new Set(Object.values(readIndex().weight_map)).size).toBe(weightPlaces(CONFIG).length);
    expect(readIndex().metadata.total_size).toBe(2 * parametersP.length);
    expect(await readWeights(dir, CONFIG)).toEqual(parametersP);
  });

  it.each(['F32', 'BF16', 'F16'] as const)('are saved in %s', async (dtype) => {
    const parametersP = wholeNumbers();
    await writeWeights(dir, CONFIG, parametersP, { dtype });
    expect(await readWeights(dir, CONFIG)).toEqual(parametersP);
  });

  it('are not saved in a type that has no number as large, by name', async () => {
    const parametersP = wholeNumbers();
    parametersP[0] = 70_000;
    await expect(writeWeights(dir, CONFIG, parametersP, { dtype: 'F16' })).rejects.toThrow(
      'tensor "model.embed_tokens.weight" holds 70000: F16 has no number that large, F32 has',
    );
  });

  it('are read from f32, bf16 and f16 side by side', async () => {
    const parametersP = wholeNumbers();
    const types: WeightType[] = ['F16', 'F32', 'BF16'];
    writeByHand(parametersP, (tensor) => types[tensor % 3] ?? 'F32');
    expect(await readWeights(dir, CONFIG)).toEqual(parametersP);
  });

  it('may have beside them a tied head and the frequencies that old releases saved', async () => {
    const parametersP = wholeNumbers();
    writeByHand(parametersP, () => 'F32');
    const path = join(dir, 'model.safetensors');
    const bytes = readFileSync(path);
    const headerBytes = Number(bytes.readBigUInt64LE());
    const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerBytes)) as Record<string, unknown>;
    const data = bytes.subarray(8 + headerBytes);
    const add = (name: string): void => {
      header[name] = { dtype: 'F32', shape: [1], data_offsets: [data.length, data.length + 4] };
      writeFile(header, [data, Buffer.alloc(4)]);
      delete header[name];
    };
    for (const name of ['lm_head.weight', 'model.layers.0.self_attn.rotary_emb.inv_freq']) {
      add(name);
      expect(await readWeights(dir, CONFIG)).toEqual(parametersP);
    }
    add('model.layers.0.self_attn.q_proj.bias');
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(
      `${path}: tensor "model.layers.0.self_attn.q_proj.bias" belongs to no model of its config.json`,
    );
  });
});

describe('weights that cannot be used', () => {
  it.each<[number, string]>([
    [NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [-Infinity, '-Infinity'],
  ])('for they hold %s are refused with tensor, index and value', async (value, word) => {
    const spec = parameterSpecs(CONFIG).find(({ name }) => name === '1.outputWeight');
    if (!spec) throw new Error('the layout has an output projection');
    const parametersP = wholeNumbers();
    // Row 3, column 20 of [H hd, d] in the layout is [20, 3] of transformers' [out, in].
    parametersP[spec.offset + 3 * CONFIG.hiddenSize + 20] = value;
    writeByHand(parametersP, () => 'F32');
    await expect(readWeights(dir, CONFIG)).rejects.toMatchObject({
      code: 'invalid_input',
      message: `${join(dir, 'model.safetensors')}: tensor "model.layers.1.self_attn.o_proj.weight" holds ${word} at [20, 3], expected finite numbers`,
    });
    const other = mkdtempSync(join(root, 'model-'));
    await expect(writeWeights(other, CONFIG, parametersP)).rejects.toThrow(
      `o_proj.weight" holds ${word} at [20, 3]: the weights have diverged and are not saved`,
    );
    expect(readdirSync(other)).toEqual([]);
  });

  it('are refused by file and tensor where a shard is missing, lies elsewhere, or lacks its tensor', async () => {
    await writeWeights(dir, CONFIG, wholeNumbers(), { maxShardBytes: 12_000 });
    const index = readIndex();
    const writeIndex = (changes: Record<string, unknown>): void =>
      writeFileSync(
        join(dir, INDEX),
        JSON.stringify({ ...index, weight_map: { ...index.weight_map, ...changes } }),
      );
    writeIndex({ 'model.norm.weight': '../other/model.safetensors' });
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(
      '"model.norm.weight" lies in "../other/model.safetensors", outside the folder',
    );
    writeIndex({ 'model.norm.weight': undefined });
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(`${INDEX}: tensor "model.norm.weight" is missing`);
    const first = index.weight_map['model.embed_tokens.weight'];
    writeIndex({ 'model.norm.weight': first });
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(`${first}: tensor "model.norm.weight" is missing`);
    writeIndex({});
    const last = index.weight_map['model.norm.weight'] ?? '';
    rmSync(join(dir, last));
    const firstOfLast = Object.entries(index.weight_map).find(([, file]) => file === last)?.[0];
    await expect(readWeights(dir, CONFIG)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(
        `${join(dir, last)}: cannot be opened, but holds tensor "${firstOfLast}"`,
      ) as string,
    });
    writeFileSync(join(dir, INDEX), '{"weight_map": ["model.safetensors"]}');
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(`${INDEX}: weight_map is not a map`);
  });

  it('are refused where there is no safetensors file', async () => {
    writeFileSync(join(dir, 'pytorch_model.bin'), 'pickled');
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(
      `${join(dir, 'model.safetensors')}: cannot be opened, but holds tensor "model.embed_tokens.weight"; weights are read from safetensors`,
    );
  });

  it('are refused by name and type where a tensor has no float type that is read', async () => {
    writeByHand(wholeNumbers(), () => 'F32');
    const path = join(dir, 'model.safetensors');
    const text = readFileSync(path, 'latin1');
    // The same bytes, said to be integers.
    writeFileSync(path, text.replace('"dtype":"F32"', '"dtype":"U32"'), 'latin1');
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(
      `${path}: tensor "model.embed_tokens.weight" has dtype U32, supported are F32, BF16, F16`,
    );
  });

  it('are refused where the file ends early', async () => {
    await writeWeights(dir, CONFIG, wholeNumbers());
    const path = join(dir, 'model.safetensors');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length - 2));
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(
      /model\.safetensors: tensor ".*" has offsets .* outside/,
    );
    writeFileSync(path, bytes.subarray(0, 100));
    await expect(readWeights(dir, CONFIG)).rejects.toThrow(
      /model\.safetensors: header size \d+ exceeds 92 bytes/,
    );
  });
});
