import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdamParams } from '@/contract/engine';
import type { SeededLora } from '@/contract/lora';
import { createRandom } from '@/rl/random';
import { AdapterWeights } from '../adapters/adapter-weights';
import { type ModelConfig, parameterCount } from '../model/parameters';
import { randomParameters } from '../../../testing/tiny-model';
import { type Checkpoint, loadCheckpoint, saveCheckpoint } from './folder';
import { SafetensorsFile, writeSafetensors } from './safetensors';
import { extractWeight, weightPlaces } from './weight-layout';

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
const LORA: SeededLora = { rank: 2, alpha: 8, targets: ['attention', 'mlp', 'unembed'], seed: 3 };
const ADAM: AdamParams = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0.01,
  gradClipNorm: 1,
};

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'adapters-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function base(config = CONFIG, seed = 1): Checkpoint {
  return { config, parametersP: randomParameters(config, seed), textFiles: {}, optimizer: null };
}

function adapters(changes: Partial<SeededLora> = {}, origin = base()): AdapterWeights {
  return new AdapterWeights(origin, 'models/small', { ...LORA, ...changes });
}

function train(weights: AdapterWeights, updates: number, seed: number): void {
  const random = createRandom(seed);
  for (let update = 0; update < updates; update++)
    weights.update(
      Float32Array.from({ length: weights.parametersP.length }, () => random.next() - 0.5),
      ADAM,
    );
}

/** A saved checkpoint of adapters after two updates, with its `adapter_config.json` changed. */
async function savedWith(name: string, changes: Record<string, unknown> = {}): Promise<string> {
  const path = join(dir, name);
  const weights = adapters();
  train(weights, 2, 1);
  await weights.save(path);
  const config = join(path, 'adapter', 'adapter_config.json');
  const written = JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown>;
  writeFileSync(config, JSON.stringify({ ...written, ...changes }));
  return path;
}

describe('a checkpoint of adapters', () => {
  it("is PEFT's folder beside the merged model, which is W + alpha / rank B A of its tensors", async () => {
    const path = await savedWith('peft');
    const origin = base();
    const merged = await loadCheckpoint(path);
    const file = await SafetensorsFile.open(join(path, 'adapter', 'adapter_model.safetensors'));
    const names = new Set(file.names);
    let changed = 0;
    for (const place of weightPlaces(CONFIG)) {
      const before = extractWeight(place, origin.parametersP);
      const after = extractWeight(place, merged.parametersP);
      const prefix = `base_model.model.${place.name.replace(/\.weight$/, '')}`;
      const [outputs = 0, inputs = 0] = place.shape;
      if (!names.has(`${prefix}.lora_A.weight`)) {
        expect(after, place.name).toEqual(before);
        continue;
      }
      changed++;
      const a = await file.read(`${prefix}.lora_A.weight`, [2, inputs]);
      const b = await file.read(`${prefix}.lora_B.weight`, [outputs, 2]);
      const expected = before.map((weight, index) => {
        const [output, input] = [Math.floor(index / inputs), index % inputs];
        const update = (k: number) => (b[output * 2 + k] ?? NaN) * (a[k * inputs + input] ?? NaN);
        return weight + 4 * (update(0) + update(1));
      });
      expect(after, place.name).not.toEqual(before);
      expect(after, place.name).toEqual(expected);
    }
    await file.close();
    expect(changed).toBe(2 * 7 + 1);
    expect(names.size).toBe(2 * changed);
    expect(names).toContain('base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight');
    expect(JSON.parse(readFileSync(join(path, 'adapter', 'adapter_config.json'), 'utf8'))).toMatchObject({
      peft_type: 'LORA',
      task_type: 'CAUSAL_LM',
      base_model_name_or_path: 'models/small',
      r: 2,
      lora_alpha: 8,
      bias: 'none',
      target_modules: [
        'q_proj',
        'k_proj',
        'v_proj',
        'o_proj',
        'gate_proj',
        'up_proj',
        'down_proj',
        'lm_head',
      ],
    });
  });

  it('goes on as if it had not been left, to the last bit', async () => {
    const undisturbed = adapters();
    train(undisturbed, 3, 1);
    await undisturbed.save(join(dir, 'three'));
    train(undisturbed, 3, 2);
    const resumed = adapters({ seed: 99 });
    await resumed.load(join(dir, 'three'));
    train(resumed, 3, 2);
    expect(resumed.parametersP).toEqual(undisturbed.parametersP);
    await undisturbed.save(join(dir, 'six'));
    await resumed.save(join(dir, 'resumed'));
    for (const file of ['model', 'adapter/adapter_model', 'adapter/optimizer'])
      expect(
        readFileSync(join(dir, 'six', `${file}.safetensors`)).equals(
          readFileSync(join(dir, 'resumed', `${file}.safetensors`)),
        ),
        file,
      ).toBe(true);
  });

  it('starts with zero moments where it has none', async () => {
    const path = await savedWith('weights-only');
    rmSync(join(path, 'adapter', 'optimizer.safetensors'));
    const weights = adapters();
    await weights.load(path);
    expect(weights.parametersP).toEqual((await loadCheckpoint(path)).parametersP);
    expect(weights.update(new Float32Array(weights.parametersP.length), ADAM).updates).toBe(1);
  });
});

describe('adapters that do not fit', () => {
  it.each([
    [{ r: 4 }, 'r is 4, this engine trains 2'],
    [{ lora_alpha: 16 }, 'lora_alpha is 16, this engine trains 8'],
    [{ target_modules: ['q_proj'] }, 'target_modules is ["q_proj"], this engine trains ["q_proj","k_proj"'],
    [{ peft_type: 'IA3' }, 'peft_type is "IA3", this engine trains "LORA"'],
    [{ use_rslora: true }, 'use_rslora is true'],
    [{ use_dora: true }, 'use_dora is true'],
    [{ bias: 'all' }, 'bias is "all"'],
    [{ modules_to_save: ['embed_tokens'] }, 'modules_to_save is ["embed_tokens"]'],
    [{ rank_pattern: { q_proj: 8 } }, 'rank_pattern is {"q_proj":8}'],
    [{ layers_to_transform: [0] }, 'layers_to_transform is [0]'],
    [{ r: 'two' }, 'adapter_config.json is not valid: r: '],
  ])('are refused for %j, and nothing changes', async (changes, message) => {
    const path = await savedWith('refused', changes);
    const weights = adapters({ seed: 7 });
    await expect(weights.load(path)).rejects.toThrow(message);
    await expect(weights.load(path)).rejects.toThrow(join(path, 'adapter', 'adapter_config.json'));
    expect(weights.parametersP).toEqual(base().parametersP);
  });

  it('are refused on weights that they were not trained on', async () => {
    const path = await savedWith('other-base');
    await expect(adapters({}, base(CONFIG, 2)).load(path)).rejects.toThrow(
      /base_sha256 is [0-9a-f]{64}, the weights of models\/small have [0-9a-f]{64}: these adapters/,
    );
  });

  it('are refused by the tensor whose shape is another model’s', async () => {
    const path = await savedWith('other-shape');
    const weights = join(path, 'adapter', 'adapter_model.safetensors');
    const name = 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight';
    const written = (tensor: string) => {
      rmSync(weights);
      return writeSafetensors(weights, [
        { name: tensor, shape: [2, 16], values: new Float32Array(32), dtype: 'F32' },
      ]);
    };
    await written(name);
    await expect(adapters().load(path)).rejects.toThrow(
      `tensor "${name}" has shape [2, 16], expected [2, 32]`,
    );
    await written('base_model.model.model.layers.9.self_attn.q_proj.lora_A.weight');
    await expect(adapters().load(path)).rejects.toThrow(
      'layers.9.self_attn.q_proj.lora_A.weight" is of no layer',
    );
  });

  it('are missed where a checkpoint is of all parameters', async () => {
    const path = join(dir, 'full');
    await saveCheckpoint(path, base());
    await expect(adapters().load(path)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('this engine trains adapters of rank 2') as string,
    });
  });
});

it('an update moves no more than the matrices of the groups', () => {
  const weights = adapters({ targets: ['mlp'] });
  const before = weights.parametersP.slice();
  train(weights, 2, 4);
  for (const place of weightPlaces(CONFIG)) {
    const isAdapted = place.name.includes('.mlp.');
    const same = extractWeight(place, before).every(
      (value, index) => value === extractWeight(place, weights.parametersP)[index],
    );
    expect(same, place.name).toBe(!isAdapted);
  }
  // Of each layer gate, up and down, 2 x (32 + 5) elements each.
  expect(weights.trainableCount).toBe(2 * 3 * 2 * (32 + 5));
  expect(parameterCount(CONFIG)).toBeGreaterThan(weights.trainableCount);
});
