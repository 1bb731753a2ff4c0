/**
 * Where a step of the demo goes: seconds a step in environment, prefill, decode and training, and their share of the
 * children's and the main process's summed time. Baseline within the same run: the first five steps, before the policy
 * has learned (longer episodes); the figures are the median of the five that follow each of five resets to the base.
 *
 * Usage: npm run bench -- demo
 */
import { loadavg } from 'node:os';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { fromWireNumber } from '@/contract/run-events';
import { trainGrpo } from '@/rl/recipes/grpo';
import { createEngine } from '@/workers/engines/engine';
import { localContext } from '@/workers/run/local-context';

const STEPS = 8;
const REPEATS = 5;

const demo = GRPO_PRESETS.demo;

async function measure(seed: number): Promise<Record<string, number>[]> {
  const config: GrpoConfig = {
    ...demo,
    seed,
    steps: STEPS,
    evaluation: { ...demo.evaluation, everySteps: 0 },
    checkpoint: { everySteps: STEPS },
  };
  const engine = await createEngine(config.engine);
  const steps: Record<string, number>[] = [];
  try {
    const events = trainGrpo(
      config,
      localContext(engine, () => '.stepscope/bench/demo'),
    );
    for await (const event of events)
      if (event.kind === 'points:measured')
        steps.push(Object.fromEntries(event.points.map(({ name, value }) => [name, fromWireNumber(value)])));
  } finally {
    await engine.close();
  }
  return steps;
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const repeats: Record<string, number>[] = [];
let first = NaN;
for (let repeat = 0; repeat < REPEATS; repeat++) {
  const steps = await measure(repeat + 1);
  const stepSeconds = (step: Record<string, number>) =>
    (step['time/rollout'] ?? NaN) + (step['time/train'] ?? NaN);
  // Sessions are built in the first step.
  if (repeat === 0 && steps[0]) first = stepSeconds(steps[0]);
  const warm = steps.slice(1);
  const seconds = (name: string) => mean(warm.map((step) => step[name] ?? NaN));
  repeats.push({
    step: mean(warm.map(stepSeconds)),
    environment: seconds('time/environment'),
    prefill: seconds('time/prefill') / demo.engine.children,
    decode: seconds('time/decode') / demo.engine.children,
    training: seconds('time/train'),
  });
  console.log(`repeat ${repeat + 1}: ${JSON.stringify(repeats[repeat])} load ${loadavg()[0]?.toFixed(2)}`);
}

const figure = (name: string) => median(repeats.map((repeat) => repeat[name] ?? NaN));
const parts = ['environment', 'prefill', 'decode', 'training'];
const total = parts.reduce((sum, name) => sum + figure(name), 0);
console.log(
  `baseline, first step with session building: ${first.toFixed(2)} s, ratio ${(first / figure('step')).toFixed(2)}`,
);
console.log(`FIGURE step_s=${figure('step').toFixed(3)} s`);
for (const name of parts) console.log(`FIGURE share_${name}=${(figure(name) / total).toFixed(3)} fraction`);
