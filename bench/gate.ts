/**
 * The demo's gate: does the preset `demo` learn what it claims, on tasks that nothing was tuned on?
 *
 * Declared beforehand: training seeds 1, 2, 3; 420 tasks (layout seeds from 3000000); sampled unmasked at temperature 1, 10
 * turns; the evaluations of step 60 and step 150, never the best. Minutes are summed `time/rollout + time/train`.
 * Controls that must fail the same gate: learning rate 0, and advantages permuted over the batch.
 *
 * Usage: npm run bench -- gate [--variant demo|zero-rate|permuted|no-penalty] [--seeds 1,2,3] [--steps 150] [--every 10] [--model DIR]
 */
import { parseArgs } from 'node:util';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { evaluationMetric } from '@/contract/evaluation';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { gateTasks } from '@/rl/environments/babyai/splits';
import { readingLine, trainAndRead, type Reading } from './gates/train-and-read';

const GATES = [
  { step: 60, minutes: 3, success: 0.72, invalidActions: 0.18 },
  { step: 150, minutes: 6, success: 0.77, invalidActions: 0.13 },
];

const { demo } = GRPO_PRESETS;
const { values } = parseArgs({
  options: {
    variant: { type: 'string', default: 'demo' },
    seeds: { type: 'string', default: '1,2,3' },
    steps: { type: 'string', default: '150' },
    every: { type: 'string', default: '10' },
    model: { type: 'string', default: demo.engine.model },
  },
});
const steps = Number(values.steps);
const every = Number(values.every);

/** Ways to train that are not the preset's own, by the name after `--variant`. */
const VARIANTS: Readonly<Record<string, (config: GrpoConfig) => GrpoConfig>> = {
  demo: (config) => config,
  'zero-rate': (config) => ({ ...config, update: { ...config.update, learningRate: 0 } }),
  permuted: (config) => ({ ...config, advantage: { ...config.advantage, permute: true } }),
  'no-penalty': (config) => ({ ...config, reward: { ...config.reward, invalidActionPenalty: 0 } }),
};
const change = VARIANTS[values.variant];
if (!change) throw new Error(`--variant ${values.variant} is not one of ${Object.keys(VARIANTS).join(', ')}`);
const config = change({ ...demo, steps, engine: { ...demo.engine, model: values.model } });

async function readSeed(seed: number): Promise<Reading[]> {
  const readings: Reading[] = [];
  for await (const reading of trainAndRead({
    recipe: 'grpo',
    config: { ...config, seed },
    folder: `.stepscope/gate/${values.variant}-${seed}`,
    sets: [{ split: 'valid_seen', tasks: gateTasks() }],
    after: ({ step }) => ({ isRead: step % every === 0 || step === steps, goesOn: true }),
  })) {
    readings.push(reading);
    console.log(readingLine(seed, reading));
  }
  return readings;
}

const bySeed: Reading[][] = [];
for (const seed of values.seeds.split(',').map(Number)) bySeed.push(await readSeed(seed));

const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
for (const gate of GATES.filter(({ step }) => step <= steps)) {
  const readings = bySeed.flatMap((seed) => seed.filter(({ step }) => step === gate.step));
  const success = mean(readings.map(({ evaluation }) => evaluationMetric(evaluation, 'success_rate')));
  const invalid = mean(readings.map(({ evaluation }) => evaluationMetric(evaluation, 'invalid_action_rate')));
  const minutes = Math.max(...readings.map((reading) => reading.minutes));
  const learned = success >= gate.success && invalid <= gate.invalidActions;
  console.log(
    `gate ${values.variant} step ${gate.step}: success ${success.toFixed(3)} (>= ${gate.success}), invalid ${invalid.toFixed(3)} ` +
      `(<= ${gate.invalidActions}), ${minutes.toFixed(2)} min (< ${gate.minutes}), N = ${readings.length} seeds: ` +
      `${learned ? 'learned' : 'not learned'}, ${minutes < gate.minutes ? 'in time' : 'too late'}`,
  );
  console.log(`FIGURE gate_${values.variant}_success_step${gate.step}=${success.toFixed(4)} fraction`);
  console.log(`FIGURE gate_${values.variant}_invalid_step${gate.step}=${invalid.toFixed(4)} fraction`);
  console.log(`FIGURE gate_${values.variant}_minutes_step${gate.step}=${minutes.toFixed(2)} min`);
}
