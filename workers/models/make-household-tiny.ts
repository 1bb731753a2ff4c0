/**
 * Makes `models/household-tiny`: a Qwen2 model of about 1 million parameters, warm-started on demonstrations that are
 * flawed on purpose, then rounded to bf16. Seeded: the same command makes the same folder on the same number of
 * children. Prints the bands the base must be in and exits 1 outside them.
 *
 * Usage: npm run make:household-tiny -- [--out DIR] [--seed N]
 */
import { parseArgs } from 'node:util';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { demonstrations } from '@/rl/environments/household/demonstrations';
import { createHousehold } from '@/rl/environments/household/household';
import { householdPhrases } from './household-vocabulary';
import { makeWarmStarted } from './warm-start';

const DEMONSTRATIONS = 6000;
const { small } = GRPO_PRESETS;

const { values } = parseArgs({
  options: { out: { type: 'string', default: small.engine.model }, seed: { type: 'string', default: '1' } },
});

const isWithinBands = await makeWarmStarted(
  {
    name: 'household-tiny',
    phrases: householdPhrases(),
    shape: {
      hiddenSize: 128,
      layers: 4,
      heads: 4,
      keyValueHeads: 2,
      intermediateSize: 512,
      ropeTheta: 10_000,
      rmsNormEps: 1e-6,
      tiedEmbeddings: true,
      maxPositions: 512,
    },
    demonstrations: (random) =>
      demonstrations({
        environment: createHousehold({ maxTurns: small.environment.maxTurns }),
        random,
        count: DEMONSTRATIONS,
      }),
    imitation: {
      epochs: 1,
      batchSize: 32,
      learningRate: 1.5e-3,
      warmupUpdates: 20,
      promptWeight: 0.1,
      weightDecay: 0.01,
    },
    config: small,
    bands: { success_rate: [0.2, 0.5] },
  },
  values.out,
  Number(values.seed),
);
process.exitCode = isWithinBands ? 0 : 1;
