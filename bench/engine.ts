/**
 * The embedded engine on two children, as a run uses it: training (forward, backward, AdamW), decoding and scoring in
 * tokens a second, for 1.02 and 3.80 million parameters. Baseline within the same run: a plain 2048-cubed MatMul of
 * onnxruntime on two threads, measured before and after every repeat; each rate is also given as a fraction of it, by the
 * floating-point operations of the model's matrix products. Figures are medians of five. Memory is the sum over the
 * engine's processes, its peak at 1.02 million parameters and 32 x 256 tokens, its course over 500 updates of 4 x 128.
 *
 * Usage: npm run bench -- engine [--parts memory,train,decode,score,soak] [--micro-batch 2048]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '@/contract/engine';
import { createOnnxEngine } from '@/workers/engines/onnx/onnx-engine';
import { openCeiling } from './engine/ceiling';
import {
  decodingFlops,
  forwardFlops,
  MEASURED_MODELS,
  trainingFlops,
  writeModel,
  type MeasuredModel,
} from './engine/measured-model';
import { peakMiB, residentMiB } from './engine/process-memory';
import { decode, score, trainingData, update } from './engine/workloads';

const REPEATS = 5;
const CHILDREN = 2;
const TRAINING_SHAPES = [
  { rows: 32, length: 256 },
  { rows: 8, length: 1024 },
];
const DECODING = { rows: 64, promptLength: 8, tokens: 192 };
const SCORING = { rows: 64, length: 256 };
const SOAK = { rows: 4, length: 128, updates: 500, every: 50 };

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'memory,train,decode,score,soak' },
    'micro-batch': { type: 'string', default: '2048' },
  },
});
const parts = new Set(values.parts.split(','));
const figures: string[] = [];

/** Load average of the last minute; the children's own share of it is two. */
const BUSY_LOAD = 3;
let highestLoad = 0;
function load(): string {
  const [minute = NaN] = loadavg();
  highestLoad = Math.max(highestLoad, minute);
  return minute.toFixed(2);
}

const median = (numbers: number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

async function withEngine(model: MeasuredModel, use: (engine: Engine) => Promise<void>): Promise<void> {
  const modelDir = await mkdtemp(join(tmpdir(), 'stepscope-bench-engine-'));
  try {
    await writeModel(modelDir, MEASURED_MODELS[model]);
    const microBatchTokens = Number(values['micro-batch']);
    const engine = await createOnnxEngine({ modelDir, children: CHILDREN, microBatchTokens });
    await use(engine).finally(() => engine.close());
  } finally {
    await rm(modelDir, { recursive: true });
  }
}

interface Work {
  name: string;
  tokens: number;
  flops: number;
  run(): Promise<void>;
}

/** Rate and share of the ceiling of one kind of work; the ceiling is taken on both sides of every repeat. */
async function measure(work: Work): Promise<{ tokensPerS: number; ofCeiling: number }> {
  // Graphs are built and processes warmed up by the first.
  await work.run();
  const ceilings = [await ceiling.measure()];
  const seconds: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const start = performance.now();
    await work.run();
    seconds.push((performance.now() - start) / 1000);
    ceilings.push(await ceiling.measure());
  }
  const shares = seconds.map((second, repeat) => {
    const around = ((ceilings[repeat] ?? NaN) + (ceilings[repeat + 1] ?? NaN)) / 2;
    return work.flops / second / around;
  });
  const tokensPerS = work.tokens / median(seconds);
  const ofCeiling = median(shares);
  console.log(
    `${work.name}: ${tokensPerS.toFixed(0)} tokens/s, ${((work.flops / median(seconds)) * 1e-9).toFixed(0)} GFLOP/s, ` +
      `${ofCeiling.toFixed(3)} of the ceiling's ${(median(ceilings) * 1e-9).toFixed(0)} ` +
      `(repeats ${shares.map((share) => share.toFixed(2)).join(' ')}), load ${load()}`,
  );
  return { tokensPerS, ofCeiling };
}

async function measureTraining(engine: Engine, model: MeasuredModel): Promise<void> {
  const config = MEASURED_MODELS[model];
  for (const { rows, length } of TRAINING_SHAPES) {
    const data = trainingData(rows, length, config.vocabularySize);
    const { tokensPerS, ofCeiling } = await measure({
      name: `training, ${model}, ${rows} x ${length}`,
      tokens: rows * length,
      flops: trainingFlops(config, rows, length),
      run: () => update(engine, data),
    });
    const name = rows === 32 ? `train_${model}` : `train_${model}_${rows}x${length}`;
    figures.push(`${name}_tokens_per_s=${tokensPerS.toFixed(0)} tokens/s`);
    figures.push(`${name}_of_ceiling=${ofCeiling.toFixed(3)} fraction`);
  }
}

async function measureSampling(engine: Engine, model: MeasuredModel): Promise<void> {
  const config = MEASURED_MODELS[model];
  const { vocabularySize } = config;
  const client = await engine.training.saveWeightsForSampler();
  if (parts.has('decode')) {
    const { rows, promptLength, tokens } = DECODING;
    const { tokensPerS } = await measure({
      name: `decoding, ${model}, ${rows} rows from ${promptLength} to ${promptLength + tokens} tokens`,
      tokens: rows * tokens,
      flops: decodingFlops(config, rows, promptLength, tokens),
      run: () => decode(client, { ...DECODING, vocabularySize }),
    });
    figures.push(`decode_${model}_tokens_per_s=${tokensPerS.toFixed(0)} tokens/s`);
  }
  if (parts.has('score')) {
    const { rows, length } = SCORING;
    const { tokensPerS } = await measure({
      name: `scoring, ${model}, ${rows} x ${length}`,
      tokens: rows * length,
      flops: forwardFlops(config, rows, length),
      run: () => score(client, rows, length, vocabularySize),
    });
    figures.push(`score_${model}_tokens_per_s=${tokensPerS.toFixed(0)} tokens/s`);
  }
}

async function measurePeak(engine: Engine): Promise<void> {
  const [shape] = TRAINING_SHAPES;
  if (!shape) return;
  const data = trainingData(shape.rows, shape.length, MEASURED_MODELS['1m'].vocabularySize);
  for (let repeat = 0; repeat < REPEATS; repeat++) await update(engine, data);
  const peak = peakMiB();
  console.log(`peak memory, 1m, ${shape.rows} x ${shape.length}: ${peak.toFixed(0)} MiB, load ${load()}`);
  figures.push(`peak_rss_mb=${peak.toFixed(0)} MiB`);
}

/** Prints the memory course of many updates and its slope by least squares. */
async function soak(engine: Engine): Promise<void> {
  const data = trainingData(SOAK.rows, SOAK.length, MEASURED_MODELS['1m'].vocabularySize);
  const course: number[] = [];
  for (let done = 1; done <= SOAK.updates; done++) {
    await update(engine, data);
    if (done % SOAK.every === 0) course.push(residentMiB());
  }
  const middle = (course.length - 1) / 2;
  const average = course.reduce((sum, value) => sum + value, 0) / course.length;
  const covariance = course.reduce((sum, value, i) => sum + (i - middle) * (value - average), 0);
  const variance = course.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
  const slope = (covariance / variance) * (100 / SOAK.every);
  console.log(
    `memory every ${SOAK.every} of ${SOAK.updates} updates, 1m, ${SOAK.rows} x ${SOAK.length}, MiB: ` +
      course.map((value) => value.toFixed(0)).join(' '),
  );
  figures.push(`memory_slope_mb_per_100_updates=${slope.toFixed(2)} MiB`);
}

// The peak comes first: the ceiling's matrices are none of the engine's memory.
if (parts.has('memory')) await withEngine('1m', measurePeak);
const ceiling = await openCeiling();
for (const model of ['1m', '4m'] as const)
  await withEngine(model, async (engine) => {
    if (parts.has('train')) await measureTraining(engine, model);
    await measureSampling(engine, model);
  });
if (parts.has('soak')) await withEngine('1m', soak);
if (highestLoad > BUSY_LOAD)
  console.log(
    `load reached ${highestLoad.toFixed(1)}: others had a share of the cores, and rates are that much lower`,
  );
for (const figure of figures) console.log(`FIGURE ${figure}`);
