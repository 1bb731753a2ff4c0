/**
 * What training adapters costs beside the pass that it needs, for 1.02 and 3.80 million parameters on one thread: the
 * products that make the base weights' gradients, which a graph with adapters in it would not compute, and projecting the
 * gradient, AdamW and merging for an update at several ranks. Baseline within the same run: forward and backward pass of
 * 8 x 256 tokens, taken in turn with each of them. Figures are medians of five, in seconds of the processor.
 *
 * Usage: npm run bench -- adapters
 */
import { loadavg } from 'node:os';
import { Tensor } from 'onnxruntime-node';
import type { LoraSettings } from '@/contract/lora';
import { createRandom } from '@/rl/random';
import { initializeAdapters } from '@/workers/engines/onnx/adapters/initialize';
import { type AdapterLayout, adapterLayout } from '@/workers/engines/onnx/adapters/layout';
import { mergeAdapters } from '@/workers/engines/onnx/adapters/merge';
import { projectGradient } from '@/workers/engines/onnx/adapters/project-gradient';
import { matrixProduct } from '@/workers/engines/onnx/graph/matrix';
import { Tape } from '@/workers/engines/onnx/graph/tape';
import { initializeParameters } from '@/workers/engines/onnx/model/initialize';
import { openSession } from '@/workers/engines/onnx/session';
import { adamStep, createAdamState } from '@/workers/engines/onnx/training/adamw';
import { Trainer } from '@/workers/engines/onnx/training/trainer';
import { MEASURED_MODELS, type MeasuredModel } from './engine/measured-model';
import { trainingData } from './engine/workloads';

const REPEATS = 5;
const ROWS = 8;
const LENGTH = 256;
const RANKS = [8, 32];
const TARGETS: LoraSettings['targets'] = ['attention', 'mlp'];
const ADAM = { learningRate: 1e-4, beta1: 0.9, beta2: 0.95, eps: 1e-8, weightDecay: 0, gradClipNorm: 1 };

const median = (numbers: number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/** Seconds of the processor, all threads of this process together: what others do on the machine falls out. */
async function secondsOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Median seconds of each work, all taken in turn so that a busy moment falls on all of them. */
async function inTurn(works: Record<string, () => unknown>): Promise<Record<string, number>> {
  const taken: Record<string, number[]> = {};
  // Graphs are built and code is compiled in the first round.
  for (let repeat = 0; repeat <= REPEATS; repeat++)
    for (const [name, work] of Object.entries(works)) {
      const seconds = await secondsOf(work);
      if (repeat > 0) (taken[name] ??= []).push(seconds);
    }
  return Object.fromEntries(Object.entries(taken).map(([name, seconds]) => [name, median(seconds)]));
}

/** The products of activations and their gradients over all tokens, for every matrix of the layout. */
async function gradientProducts({ matrices }: AdapterLayout): Promise<() => Promise<unknown>> {
  const tape = new Tape('f32', true);
  const tokens = ROWS * LENGTH;
  const widths = [...new Set(matrices.flatMap(({ rows, columns }) => [rows, columns]))];
  const inputs = new Map(
    widths.map((width) => [width, tape.input(`width${width}`, 'f32', [tokens, width])] as const),
  );
  for (const { module, rows, columns } of matrices) {
    const [activations, slopes] = [inputs.get(rows), inputs.get(columns)];
    if (activations && slopes) tape.output(matrixProduct(tape, activations, slopes, { left: true }), module);
  }
  const session = await openSession(tape.encode());
  const feeds = Object.fromEntries(
    widths.map((width) => {
      const values = new Float32Array(tokens * width).fill(0.5);
      return [`width${width}`, new Tensor('float32', values, [tokens, width])];
    }),
  );
  return () => session.run(feeds);
}

async function measure(model: MeasuredModel): Promise<string[]> {
  const config = MEASURED_MODELS[model];
  const baseP = initializeParameters(config, createRandom(1));
  const trainer = new Trainer({ config, parameters: baseP });
  const data = trainingData(ROWS, LENGTH, config.vocabularySize);
  const pass = async () => {
    trainer.gradient.fill(0);
    await trainer.accumulate(data, 'ppo');
  };
  await pass();
  const gradientP = trainer.gradient.slice();
  const fullP = baseP.slice();
  const full = createAdamState(baseP.length);
  const works: Record<string, () => unknown> = {
    pass,
    products: await gradientProducts(adapterLayout(config, { rank: 1, alpha: 1, targets: TARGETS })),
    fullUpdate: () => adamStep(fullP, gradientP, full, ADAM),
  };
  for (const rank of RANKS) {
    const layout = adapterLayout(config, { rank, alpha: 32, targets: TARGETS });
    const adaptersQ = initializeAdapters(layout, createRandom(2));
    const adam = createAdamState(layout.size);
    const mergedP = baseP.slice();
    works[`rank${rank}`] = () => {
      adamStep(adaptersQ, projectGradient(layout, gradientP, adaptersQ), adam, ADAM);
      mergeAdapters(layout, baseP, adaptersQ, mergedP);
    };
  }
  const seconds = await inTurn(works);
  await trainer.release();
  const { pass: passS = NaN } = seconds;
  console.log(
    `${model}: ${Object.entries(seconds)
      .map(([name, second]) => `${name} ${(second * 1000).toFixed(1)} ms`)
      .join(', ')}; load ${loadavg()[0]?.toFixed(2)}`,
  );
  const share = (name: string) => ((seconds[name] ?? NaN) / passS).toFixed(3);
  return [
    `base_gradients_of_pass_${model}=${share('products')} fraction`,
    `full_update_of_pass_${model}=${share('fullUpdate')} fraction`,
    ...RANKS.map((rank) => `rank_${rank}_update_of_pass_${model}=${share(`rank${rank}`)} fraction`),
  ];
}

const figures: string[] = [];
for (const model of ['1m', '4m'] as const) figures.push(...(await measure(model)));
for (const figure of figures) console.log(`FIGURE ${figure}`);
