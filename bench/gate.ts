/**
 * The demo's gate: does the preset `demo` learn what it claims, on tasks that nothing was tuned on?
 *
 * Declared beforehand: training seeds 1, 2, 3; 420 tasks (layout seeds from 3000000); sampled unmasked at temperature 1, 10
 * turns; the evaluations of step 60 and step 150, never the best. Minutes are summed `time/rollout + time/train`.
 * Controls that must fail the same gate: learning rate 0, and advantages permuted over the batch.
 *
 * Usage: npm run bench -- gate [--variant demo|zero-rate|permuted|no-penalty] [--seeds 1,2,3] [--steps 150] [--every 10] [--model DIR]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { EvaluationResult } from '@/contract/evaluation';
import { evaluationMetric } from '@/contract/evaluation';
import { GRPO_PRESETS, type GrpoConfig } from '@/contract/recipes/grpo';
import { fromWireNumber, type RecipeEvent } from '@/contract/run-events';
import { gateTasks } from '@/rl/environments/babyai/splits';
import { evaluateCheckpoint } from '@/rl/recipes/evaluation';
import { setUp, trainGrpo } from '@/rl/recipes/grpo';
import { wilson } from '@/stats/wilson';
import { createEngine } from '@/workers/engines/engine';
import { localContext } from '@/workers/run/local-context';

const GATES = [
  { step: 60, minutes: 3, success: 0.72, invalidActions: 0.18 },
  { step: 150, minutes: 6, success: 0.77, invalidActions: 0.13 },
];

const VARIANTS: Record<string, (config: GrpoConfig) => GrpoConfig> = {
  demo: (config) => config,
  'zero-rate': (config) => ({ ...config, update: { ...config.update, learningRate: 0 } }),
  permuted: (config) => ({ ...config, advantage: { ...config.advantage, permute: true } }),
  'no-penalty': (config) => ({ ...config, reward: { invalidActionPenalty: 0 } }),
};

const { values } = parseArgs({
  options: {
    variant: { type: 'string', default: 'demo' },
    seeds: { type: 'string', default: '1,2,3' },
    steps: { type: 'string', default: '150' },
    every: { type: 'string', default: '10' },
    model: { type: 'string', default: GRPO_PRESETS.demo.engine.model },
  },
});
const change = changeOf(values.variant);

function changeOf(variant: string): (config: GrpoConfig) => GrpoConfig {
  const found = VARIANTS[variant];
  if (!found) throw new Error(`--variant ${variant} is not one of ${Object.keys(VARIANTS).join(', ')}`);
  return found;
}

interface Reading {
  step: number;
  minutes: number;
  evaluation: EvaluationResult;
}

async function readSeed(seed: number): Promise<Reading[]> {
  const demo = GRPO_PRESETS.demo;
  const steps = Number(values.steps);
  const config = change({
    ...demo,
    seed,
    steps,
    engine: { ...demo.engine, model: values.model },
    evaluation: { ...demo.evaluation, everySteps: 0, decodings: ['sampled'] },
    checkpoint: { everySteps: steps },
    recording: { trainGroups: 0 },
  });
  const engine = await createEngine(config.engine);
  const context = localContext(engine, (step) => `.stepscope/gate/${values.variant}-${seed}/step-${step}`);
  const setup = await setUp(config, context);
  const read = async (step: number, minutes: number): Promise<Reading> => {
    const sampler = await engine.training.saveWeightsForSampler();
    const set = { split: 'valid_seen' as const, tasks: gateTasks() };
    for await (const event of evaluateCheckpoint(setup, sampler, step, [set]))
      if (event.kind === 'evaluation:finished') return { step, minutes, evaluation: event.evaluation };
    throw new Error('the evaluation gave no result');
  };
  try {
    const readings = [await read(0, 0)];
    let seconds = 0;
    for await (const event of trainGrpo(config, context)) {
      seconds += trainingSeconds(event);
      if (
        event.kind === 'step:finished' &&
        (event.step % Number(values.every) === 0 || event.step === steps)
      ) {
        const reading = await read(event.step, seconds / 60);
        readings.push(reading);
        console.log(line(seed, reading));
      }
    }
    return readings;
  } finally {
    await engine.close();
  }
}

function trainingSeconds(event: RecipeEvent): number {
  if (event.kind !== 'points:measured') return 0;
  return event.points
    .filter(({ name }) => name === 'time/rollout' || name === 'time/train')
    .reduce((sum, { value }) => sum + fromWireNumber(value), 0);
}

function line(seed: number, { step, minutes, evaluation }: Reading): string {
  const { successes, n } = evaluation;
  const { low, high } = wilson(successes, n);
  const percent = (fraction: number) => (fraction * 100).toFixed(1);
  const invalid = evaluationMetric(evaluation, 'invalid_action_rate');
  return (
    `seed ${seed} step ${String(step).padStart(3)} ${minutes.toFixed(2).padStart(5)} min  success ${successes}/${n} ` +
    `${percent(successes / n)} [${percent(low)}, ${percent(high)}]  invalid ${percent(invalid)} %  load ${loadavg()[0]?.toFixed(1)}`
  );
}

const bySeed: Reading[][] = [];
for (const seed of values.seeds.split(',').map(Number)) {
  const readings = await readSeed(seed);
  if (readings[0]) console.log(line(seed, readings[0]));
  bySeed.push(readings);
}

const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
for (const gate of GATES.filter(({ step }) => step <= Number(values.steps))) {
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
