/**
 * The household's gate: does the preset `small` learn within 20 minutes of training on two cores, in rooms it trained in
 * and in rooms it did not, on tasks that nothing was tuned on?
 *
 * Declared beforehand: training seeds 1, 2, 3; 240 tasks of each of valid_seen and valid_unseen (seeds from 2000000);
 * sampled unmasked at temperature 1; step 0 against the last step that ends before 20 minutes, never the best. Minutes
 * are summed `time/rollout + time/train`. A seed passes on a split where the exact McNemar test rejects equality at p <
 * 0.01 in favour of the trained checkpoint; the gate asks for two seeds of three on each split. Control that must fail
 * it: advantages permuted over the batch.
 *
 * Usage: npm run bench -- gate-household [--variant small|zero-rate|permuted|no-penalty] [--seeds 1,2,3] [--minutes 20]
 *   [--every 0] [--steps N] [--model DIR]
 */
import { parseArgs } from 'node:util';
import { evaluationMetric } from '@/contract/evaluation';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { gateTasks } from '@/rl/environments/household/splits';
import { mcnemarOf, type McNemar } from '@/stats/mcnemar';
import { inVariant, readingLine, trainAndRead, type Reading } from './gates/train-and-read';

const LEVEL = 0.01;
const SEEDS_ASKED = 2;
const SPLITS = ['valid_seen', 'valid_unseen'] as const;

const { small } = GRPO_PRESETS;
const { values } = parseArgs({
  options: {
    variant: { type: 'string', default: 'small' },
    seeds: { type: 'string', default: '1,2,3' },
    minutes: { type: 'string', default: '20' },
    /** Steps between readings on the way; 0 reads the first and the last checkpoint alone. */
    every: { type: 'string', default: '0' },
    steps: { type: 'string', default: String(small.steps) },
    model: { type: 'string', default: small.engine.model },
  },
});
const [limit, every, steps] = [Number(values.minutes), Number(values.every), Number(values.steps)];

async function readSeed(seed: number): Promise<Reading[]> {
  const readings: Reading[] = [];
  const engine = { ...small.engine, model: values.model };
  for await (const reading of trainAndRead({
    config: inVariant({ ...small, seed, steps, engine }, values.variant, 'small'),
    folder: `.stepscope/gate-household/${values.variant}-${seed}`,
    sets: SPLITS.map((split) => ({ split, tasks: gateTasks(split) })),
    after: ({ step, minutes, longestStepMinutes }) => {
      const isLast = step === steps || minutes + longestStepMinutes >= limit;
      return { isRead: isLast || (every > 0 && step % every === 0), goesOn: !isLast };
    },
  })) {
    readings.push(reading);
    console.log(readingLine(seed, reading));
  }
  return readings;
}

/** First and last reading of a split, and the test between them. */
function compare(readings: readonly Reading[], split: (typeof SPLITS)[number]) {
  const ofSplit = readings.filter(({ evaluation }) => evaluation.split === split);
  const [before, after] = [ofSplit[0], ofSplit.at(-1)];
  if (!before || !after) throw new Error(`${split} was not read`);
  return { before, after, test: mcnemarOf(before.solved, after.solved) };
}

const hasGained = ({ gained, lost, pValue }: McNemar): boolean => gained > lost && pValue < LEVEL;

const bySeed: { seed: number; readings: Reading[] }[] = [];
for (const seed of values.seeds.split(',').map(Number)) bySeed.push({ seed, readings: await readSeed(seed) });

const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
for (const split of SPLITS) {
  const compared = bySeed.map(({ seed, readings }) => ({ seed, ...compare(readings, split) }));
  for (const { seed, before, after, test } of compared)
    console.log(
      `gate-household ${values.variant} ${split} seed ${seed}: step ${after.step} in ${after.minutes.toFixed(2)} min, ` +
        `${before.evaluation.successes} -> ${after.evaluation.successes} of ${after.evaluation.n}, gained ${test.gained}, lost ` +
        `${test.lost}, p = ${test.pValue.toExponential(1)}: ${hasGained(test) ? 'beats step 0' : 'not distinguishable from step 0, or worse'}`,
    );
  const passed = compared.filter(({ test }) => hasGained(test)).length;
  const rate = (side: 'before' | 'after') =>
    mean(compared.map((pair) => evaluationMetric(pair[side].evaluation, 'success_rate')));
  console.log(
    `gate-household ${values.variant} ${split}: ${passed} of ${compared.length} seeds beat step 0 (asked: ${SEEDS_ASKED} of 3)`,
  );
  console.log(`FIGURE gate_household_${values.variant}_${split}_seeds_passed=${passed} seeds`);
  console.log(
    `FIGURE gate_household_${values.variant}_${split}_success_step0=${rate('before').toFixed(4)} fraction`,
  );
  console.log(
    `FIGURE gate_household_${values.variant}_${split}_success_last=${rate('after').toFixed(4)} fraction`,
  );
}
const longest = Math.max(...bySeed.flatMap(({ readings }) => readings.map(({ minutes }) => minutes)));
console.log(`FIGURE gate_household_${values.variant}_minutes=${longest.toFixed(2)} min`);
