import { describe, expect, it } from 'vitest';
import type { LoraSettings } from '@/contract/lora';
import { createRandom, type Random } from '@/rl/random';
import { extractWeight, weightPlaces } from '../checkpoint/weight-layout';
import { type ModelConfig, parameterCount } from '../model/parameters';
import { initializeAdapters } from './initialize';
import { type AdapterLayout, adapterLayout } from './layout';
import { mergeAdapters } from './merge';
import { projectGradient } from './project-gradient';
import { untieHead } from './untie-head';

const CONFIG: ModelConfig = {
  vocabularySize: 7,
  hiddenSize: 32,
  layers: 1,
  heads: 2,
  keyValueHeads: 1,
  intermediateSize: 5,
  ropeTheta: 500,
  rmsNormEps: 1e-5,
  tiedEmbeddings: false,
  maxPositions: 40,
};
const EVERYWHERE: LoraSettings = { rank: 2, alpha: 1, targets: ['attention', 'mlp', 'unembed'] };

/** Whole numbers of -3 to 3: their sums and products are exact in f32. */
function wholeNumbers(count: number, random: Random): Float32Array {
  return Float32Array.from({ length: count }, () => random.integer(7) - 3);
}

function merged(layout: AdapterLayout, baseP: Float32Array, adaptersQ: Float32Array): Float32Array {
  const mergedP = baseP.slice();
  mergeAdapters(layout, baseP, adaptersQ, mergedP);
  return mergedP;
}

describe('the layout of adapters', () => {
  it('places A and B of every matrix of the groups, one after another', () => {
    const layout = adapterLayout(CONFIG, { rank: 3, alpha: 6, targets: ['mlp', 'unembed'] });
    const sizes = layout.matrices.map(({ module, rows, columns, leftOffset, rightOffset }) => [
      module,
      rows,
      columns,
      leftOffset,
      rightOffset,
    ]);
    // Of [32, 5] L takes 3 x 32 and R 3 x 5; [5, 32] the reverse; the head is [7, 32].
    expect(sizes).toEqual([
      ['model.layers.0.mlp.gate_proj', 32, 5, 0, 96],
      ['model.layers.0.mlp.up_proj', 32, 5, 111, 207],
      ['model.layers.0.mlp.down_proj', 5, 32, 222, 237],
      ['lm_head', 7, 32, 333, 354],
    ]);
    expect(layout).toMatchObject({ scale: 2, size: 450 });
  });

  it('covers the parts of a fused matrix apart, as Hugging Face has them', () => {
    const { matrices } = adapterLayout(CONFIG, { rank: 1, alpha: 1, targets: ['attention'] });
    expect(matrices.map(({ module, columns }) => [module.slice(-6), columns])).toEqual([
      ['q_proj', 32],
      ['k_proj', 16],
      ['v_proj', 16],
      ['o_proj', 32],
    ]);
  });

  it('has no head where it is the embedding', () => {
    expect(() => adapterLayout({ ...CONFIG, tiedEmbeddings: true }, EVERYWHERE)).toThrow(
      'the model has no lm_head of its own',
    );
  });
});

describe('fresh adapters', () => {
  const layout = adapterLayout(CONFIG, EVERYWHERE);

  it('leave every weight of the base as it is, to the last bit', () => {
    const baseP = Float32Array.from({ length: parameterCount(CONFIG) }, (_, index) => 0.1 * index - 0.3);
    const wide = adapterLayout(CONFIG, { ...EVERYWHERE, rank: 32 });
    expect(merged(wide, baseP, initializeAdapters(wide, createRandom(1)))).toEqual(baseP);
  });

  it('have A within 1 / sqrt(in) of 0 and B at 0', () => {
    const adaptersQ = initializeAdapters(layout, createRandom(1));
    const part = (module: string) => {
      const matrix = layout.matrices.find((each) => each.module.endsWith(module));
      if (!matrix) throw new Error(module);
      const { leftOffset, rightOffset, rows, columns } = matrix;
      const left = adaptersQ.subarray(leftOffset, leftOffset + rows * layout.rank);
      const right = adaptersQ.subarray(rightOffset, rightOffset + columns * layout.rank);
      return { left, right };
    };
    const largest = (values: Float32Array) => Math.max(...values.map(Math.abs));
    const down = part('down_proj');
    // 10 draws below 1 / sqrt(5) = 0.447, and 64 below 1 / sqrt(32) = 0.177.
    expect(largest(down.left)).toBeGreaterThan(0.2);
    expect(largest(down.left)).toBeLessThan(0.4473);
    expect(largest(down.right)).toBe(0);
    const head = part('lm_head');
    expect(largest(head.left)).toBe(0);
    expect(largest(head.right)).toBeGreaterThan(0.12);
    expect(largest(head.right)).toBeLessThan(0.1768);
  });

  it('are equal for equal seeds alone', () => {
    const draw = (seed: number) => initializeAdapters(layout, createRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });
});

describe('merged weights', () => {
  it('are W + alpha / rank A B in the one place of each matrix', () => {
    const layout = adapterLayout(CONFIG, { rank: 2, alpha: 1, targets: ['mlp'] });
    const adaptersQ = new Float32Array(layout.size);
    const up = layout.matrices.find(({ module }) => module.endsWith('up_proj'));
    if (!up) throw new Error('no up_proj');
    // A of input 9 is [4, 6], B of output 3 is [5, 7]: 0.5 (4 x 5 + 6 x 7) = 31.
    adaptersQ.set([4, 6], up.leftOffset + 9 * 2);
    adaptersQ[up.rightOffset + 3] = 5;
    adaptersQ[up.rightOffset + up.columns + 3] = 7;
    const baseP = new Float32Array(parameterCount(CONFIG)).fill(1);
    const mergedP = merged(layout, baseP, adaptersQ);
    for (const place of weightPlaces(CONFIG)) {
      const changed = [...extractWeight(place, mergedP)].flatMap((value, index) =>
        value === 1 ? [] : [[index, value]],
      );
      // Hugging Face's up_proj is [out, in].
      expect(changed, place.name).toEqual(place.name.endsWith('up_proj.weight') ? [[3 * 32 + 9, 32]] : []);
    }
  });
});

describe('the gradient of adapters', () => {
  it('is the derivative of the loss through the merged weights, element by element', () => {
    const random = createRandom(3);
    const layout = adapterLayout(CONFIG, EVERYWHERE);
    const baseP = wholeNumbers(parameterCount(CONFIG), random);
    const adaptersQ = wholeNumbers(layout.size, random);
    const gradientP = wholeNumbers(parameterCount(CONFIG), random);
    // A loss linear in the weights is linear in each element of A and B, so that a difference is the derivative.
    const loss = (index: number, by: number) => {
      const shifted = adaptersQ.slice();
      shifted[index] = (shifted[index] ?? 0) + by;
      return merged(layout, baseP, shifted).reduce((sum, weight, p) => sum + weight * (gradientP[p] ?? 0), 0);
    };
    const differences = Float32Array.from(adaptersQ, (_, index) => (loss(index, 1) - loss(index, -1)) / 2);
    expect(differences.filter((value) => value !== 0).length).toBeGreaterThan(layout.size / 2);
    expect(projectGradient(layout, gradientP, adaptersQ)).toEqual(differences);
  });
});

describe('a model with a tied head', () => {
  const config = { ...CONFIG, tiedEmbeddings: true };
  const tied = {
    config,
    parametersP: wholeNumbers(parameterCount(config), createRandom(5)),
    textFiles: { 'tokenizer.json': '{}' },
    optimizer: null,
  };

  it('gets a head equal to its embedding, and keeps the rest', () => {
    const own = untieHead(tied);
    const values = (checkpoint: typeof tied) =>
      new Map(
        weightPlaces(checkpoint.config).map((place) => [
          place.name,
          extractWeight(place, checkpoint.parametersP),
        ]),
      );
    const before = values(tied);
    const after = values({ ...own, optimizer: null, textFiles: tied.textFiles });
    expect(after.get('lm_head.weight')).toEqual(before.get('model.embed_tokens.weight'));
    after.delete('lm_head.weight');
    expect(after).toEqual(before);
    expect(own.textFiles).toEqual(tied.textFiles);
  });

  it('is left alone where it has one already', () => {
    const own = untieHead(tied);
    expect(untieHead(own)).toBe(own);
  });
});
