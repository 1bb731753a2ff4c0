/**
 * A recipe's gate: does its preset `small` learn on two cores, on tasks that nothing was tuned on?
 *
 * Declared beforehand: training seeds 1, 2, 3; the gate list of the preset's environment (BabyAI: 420 tasks of valid_seen, layout
 * seeds from 3000000; household: 240 tasks of each of valid_seen and valid_unseen, seeds from 2000000); sampled unmasked
 * at temperature 1; step 0 against the last step, or the last that ends before `--minutes`, never the best. Minutes are
 * summed `time/rollout + time/train`. A seed passes on a split where the exact McNemar test rejects equality at p <
 * 0.01 in favour of the trained checkpoint; the gate asks for two seeds of three on each split. Control that must fail
 * it: `--set advantage.permute=true`, advantages permuted over the batch.
 *
 * Usage: npm run bench -- gate-recipe --recipe NAME [--preset small] [--set path.to.key=value]... [--seeds 1,2,3]
 *   [--minutes 20] [--every 0]
 */
import { parseArgs } from 'node:util';
import { evaluationMetric } from '@/contract/evaluation';
import { RECIPE_IDS, RECIPES, type RecipeEntry, type RecipeId } from '@/contract/recipes/registry';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { gateTasks as babyAiGateTasks } from '@/rl/environments/babyai/splits';
import { gateTasks as householdGateTasks } from '@/rl/environments/household/splits';
import type { TaskSet } from '@/rl/recipes/evaluation';
import { prepareRun } from '@/rl/recipes/registry';
import { mcnemarOf, type McNemar } from '@/stats/mcnemar';
import { withSetValues } from '@/workers/train/set-values';
import { readingLine, trainAndRead, type Reading } from './gates/train-and-read';

const LEVEL = 0.01;
const SEEDS_ASKED = 2;

const { values } = parseArgs({
  options: {
    recipe: { type: 'string', default: 'grpo' },
    preset: { type: 'string', default: 'small' },
    set: { type: 'string', multiple: true, default: [] },
    seeds: { type: 'string', default: '1,2,3' },
    minutes: { type: 'string', default: '20' },
    /** Steps between readings on the way; 0 reads the first and the last checkpoint alone. */
    every: { type: 'string', default: '0' },
  },
});
const [limit, every] = [Number(values.minutes), Number(values.every)];
const recipe = recipeNamed(values.recipe);
const entry: RecipeEntry = RECIPES[recipe];
const { config } = prepareRun(recipe, withSetValues(entry.presets[values.preset] ?? {}, values.set));
const sets = gateSets(config);
const variant = [recipe, values.preset, ...values.set].join(' ');

function recipeNamed(name: string): RecipeId {
  const found = RECIPE_IDS.find((id) => id === name);
  if (!found) throw new Error(`--recipe ${name} is not one of ${RECIPE_IDS.join(', ')}`);
  return found;
}

function gateSets({ environment }: RunSettings): TaskSet[] {
  if (environment.id === 'babyai') return [{ split: 'valid_seen', tasks: babyAiGateTasks() }];
  if (environment.id === 'household')
    return (['valid_seen', 'valid_unseen'] as const).map((split) => ({
      split,
      tasks: householdGateTasks(split),
    }));
  throw new Error(`${environment.id} has no gate list; babyai and household have one`);
}

async function readSeed(seed: number): Promise<Reading[]> {
  const readings: Reading[] = [];
  for await (const reading of trainAndRead({
    recipe,
    config: { ...config, seed },
    folder: `.stepscope/gate-recipe/${variant.replace(/[^\w.-]+/g, '-')}-${seed}`,
    sets,
    after: ({ step, minutes, longestStepMinutes }) => {
      const isLast = step === config.steps || minutes + longestStepMinutes >= limit;
      return { isRead: isLast || (every > 0 && step % every === 0), goesOn: !isLast };
    },
  })) {
    readings.push(reading);
    console.log(readingLine(seed, reading));
  }
  return readings;
}

/** First and last reading of a split, and the test between them. */
function compare(readings: readonly Reading[], { split }: TaskSet) {
  const ofSplit = readings.filter(({ evaluation }) => evaluation.split === split);
  const [before, after] = [ofSplit[0], ofSplit.at(-1)];
  if (!before || !after) throw new Error(`${split} was not read`);
  return { before, after, test: mcnemarOf(before.solved, after.solved) };
}

const hasGained = ({ gained, lost, pValue }: McNemar): boolean => gained > lost && pValue < LEVEL;

const bySeed: { seed: number; readings: Reading[] }[] = [];
for (const seed of values.seeds.split(',').map(Number)) bySeed.push({ seed, readings: await readSeed(seed) });

const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
for (const set of sets) {
  const compared = bySeed.map(({ seed, readings }) => ({ seed, ...compare(readings, set) }));
  for (const { seed, before, after, test } of compared)
    console.log(
      `gate ${variant} ${set.split} seed ${seed}: step ${after.step} in ${after.minutes.toFixed(2)} min, ` +
        `${before.evaluation.successes} -> ${after.evaluation.successes} of ${after.evaluation.n}, gained ${test.gained}, lost ` +
        `${test.lost}, p = ${test.pValue.toExponential(1)}: ${hasGained(test) ? 'beats step 0' : 'not distinguishable from step 0, or worse'}`,
    );
  const passed = compared.filter(({ test }) => hasGained(test)).length;
  const rate = (side: 'before' | 'after') =>
    mean(compared.map((pair) => evaluationMetric(pair[side].evaluation, 'success_rate')));
  console.log(
    `gate ${variant} ${set.split}: ${passed} of ${compared.length} seeds beat step 0 (asked: ${SEEDS_ASKED} of 3)`,
  );
  const figure = `gate_${recipe.replace(/-/g, '_')}_${set.split}`;
  console.log(`FIGURE ${figure}_seeds_passed=${passed} seeds`);
  console.log(`FIGURE ${figure}_success_step0=${rate('before').toFixed(4)} fraction`);
  console.log(`FIGURE ${figure}_success_last=${rate('after').toFixed(4)} fraction`);
}
const longest = Math.max(...bySeed.flatMap(({ readings }) => readings.map(({ minutes }) => minutes)));
console.log(`FIGURE gate_${recipe.replace(/-/g, '_')}_minutes=${longest.toFixed(2)} min`);
