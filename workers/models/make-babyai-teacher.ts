/**
 * Makes `models/babyai-tiny-teacher`: what GRPO makes of `models/babyai-tiny` with the demo's settings, rounded to bf16. Seeded: the same
 * command makes the same folder on the same number of children. Prints its success and exits 1 outside the bands that a
 * teacher must be in.
 *
 * Usage: npm run make:babyai-teacher -- [--out DIR] [--seed N] [--steps N]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { trainGrpo } from '@/rl/recipes/grpo';
import { createEngine } from '../engines/engine';
import { loadCheckpoint, saveCheckpoint } from '../engines/onnx/checkpoint/folder';
import { REPOSITORY_DIR } from '../env';
import { localContext } from '../run/local-context';
import { TrainReport } from '../train/report';
import { evaluationsOf, isWithinBands } from './warm-start';

const { demo } = GRPO_PRESETS;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: `${demo.engine.model}-teacher` },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '40' },
  },
});
const steps = Number(values.steps);

const config: GrpoConfig = {
  ...demo,
  seed: Number(values.seed),
  steps,
  update: { ...demo.update, decaySteps: steps },
  evaluation: { ...demo.evaluation, everySteps: 0 },
  checkpoint: { everySteps: steps },
  recording: { trainGroups: 0 },
};

/** Trains and writes the last checkpoint's folder. */
async function train(dir: string): Promise<void> {
  const engine = await createEngine(config.engine);
  const report = new TrainReport();
  try {
    for await (const event of trainGrpo(
      config,
      localContext(engine, () => dir),
    )) {
      const line = report.lineOf(event);
      if (line !== null) console.log(line);
    }
  } finally {
    await engine.close();
  }
}

const out = resolve(REPOSITORY_DIR, values.out);
const work = await mkdtemp(join(tmpdir(), 'babyai-teacher-'));
try {
  await train(join(work, 'trained'));
  const trained = await loadCheckpoint(join(work, 'trained'));
  await saveCheckpoint(out, { ...trained, optimizer: null }, { dtype: 'BF16' });
} finally {
  await rm(work, { recursive: true, force: true });
}
console.log(`written to ${out}`);
const evaluations = await evaluationsOf({ config }, out);
const bands = { success_rate: [0.68, 1], invalid_action_rate: [0, 0.25] } as const;
process.exitCode = evaluations.map((evaluation) => isWithinBands(evaluation, bands)).every(Boolean) ? 0 : 1;
