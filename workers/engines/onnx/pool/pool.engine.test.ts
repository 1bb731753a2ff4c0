import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { randomData } from '../../../testing/random-data';
import { randomParameters } from '../../../testing/tiny-model';
import type { ModelConfig } from '../model/parameters';
import { Trainer } from '../training/trainer';
import { ChildPool } from './pool';

const config: ModelConfig = {
  vocabularySize: 24,
  hiddenSize: 32,
  layers: 1,
  heads: 2,
  keyValueHeads: 1,
  intermediateSize: 48,
  ropeTheta: 10_000,
  rmsNormEps: 1e-6,
  tiedEmbeddings: true,
  maxPositions: 64,
};

function batch(seed: number) {
  return randomData(createRandom(seed), {
    vocabularySize: config.vocabularySize,
    prompts: 2,
    replies: 2,
    promptLength: 6,
    replyLength: 4,
  });
}

let pool: ChildPool;
beforeAll(async () => {
  pool = await ChildPool.open(1, { config, microBatchTokens: 1024, prefixCacheBytes: 0 });
});
afterAll(() => pool.close());

async function expectedGradient(version: number, seed: number): Promise<Float32Array> {
  const trainer = new Trainer({ config, parameters: randomParameters(config, version) });
  await trainer.accumulate(batch(seed), 'cross_entropy');
  await trainer.release();
  return trainer.gradient;
}

describe('a child', () => {
  it('answers requests that overlap with the gradients of their own weights and data', async () => {
    const cases = [1, 2, 2, 3].map((version, index) => ({ version, seed: 10 + index }));
    const shares = await Promise.all(
      cases.map(({ version, seed }) =>
        pool
          .lane(0)
          .request(
            'computeGradient',
            { data: batch(seed), lossFn: 'cross_entropy', lossFnConfig: {} },
            { version, parametersP: randomParameters(config, version) },
          ),
      ),
    );
    for (const [index, { version, seed }] of cases.entries())
      expect(shares[index]?.gradientP).toEqual(await expectedGradient(version, seed));
  });
});
