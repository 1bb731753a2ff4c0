/**
 * Makes `models/babyai-tiny`: a Qwen2 model of about 0.9 million parameters, warm-started on demonstrations that are
 * flawed on purpose, then rounded to bf16. Seeded: the same command makes the same folder on the same number of
 * children. Prints the bands the base must be in and exits 1 outside them.
 *
 * Usage: npm run make:babyai-tiny -- [--out DIR] [--seed N]
 */
import { parseArgs } from 'node:util';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import { demonstrations } from '@/rl/environments/babyai/demonstrations';
import { babyAiPhrases } from './babyai-vocabulary';
import { makeWarmStarted } from './warm-start';

const DEMONSTRATIONS = 2800;
const { demo } = GRPO_PRESETS;

const { values } = parseArgs({
  options: { out: { type: 'string', default: demo.engine.model }, seed: { type: 'string', default: '2' } },
});

const isWithinBands = await makeWarmStarted(
  {
    name: 'babyai-tiny',
    phrases: babyAiPhrases(),
    shape: {
      hiddenSize: 128,
      layers: 4,
      heads: 4,
      keyValueHeads: 2,
      intermediateSize: 448,
      ropeTheta: 10_000,
      rmsNormEps: 1e-6,
      tiedEmbeddings: true,
      maxPositions: 512,
    },
    demonstrations: (random) =>
      demonstrations({
        environment: createBabyAi({ maxTurns: demo.environment.maxTurns }),
        random,
        count: DEMONSTRATIONS,
      }),
    imitation: {
      epochs: 3,
      batchSize: 64,
      learningRate: 1.5e-3,
      warmupUpdates: 20,
      promptWeight: 0.1,
      weightDecay: 0.01,
    },
    config: demo,
    bands: { success_rate: [0.4, 0.6], invalid_action_rate: [0.4, 0.8] },
  },
  values.out,
  Number(values.seed),
);
process.exitCode = isWithinBands ? 0 : 1;
