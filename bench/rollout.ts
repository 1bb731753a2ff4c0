/**
 * A step of 64 episodes with the embedded engine on two children: seconds in environment, prefill, decode and training,
 * and the share of prompt tokens that are reused. Conversations of tool calls in BabyAI-Text with their full history, and
 * beside them the demo's prompts, which are written anew each turn. Baseline within the same run: the same episodes
 * where nothing is kept between turns, so that every turn's prompt is prefilled whole (equal prompts of a batch and
 * prefixes that they share still once). Figures are medians of five; processor time is the children's in the rollout.
 *
 * Usage: npm run bench -- rollout [--repeats 5] [--turns 12]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine, SamplingParams } from '@/contract/engine';
import { BABYAI_TEXT_DEFAULTS } from '@/contract/environments/babyai-text';
import type { EnvironmentConfig } from '@/contract/environments/registry';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { rowsOf, rowsToData } from '@/rl/learning/rows';
import { playEpisodes } from '@/rl/play';
import { hashSeed } from '@/rl/random';
import { freeResponder } from '@/rl/reply';
import { openScaffold } from '@/rl/scaffolds/registry';
import type { Scaffold } from '@/rl/scaffolds/scaffold';
import { createOnnxEngine, type OnnxEngine } from '@/workers/engines/onnx/onnx-engine';
import { openEnvironment } from '@/workers/environments/open-environment';
import { processorSeconds } from './rollout/process-time';
import { toolCallReplies, writeToolCallModel } from './rollout/tool-call-model';

const GROUPS = 8;
const GROUP_SIZE = 8;
const CHILDREN = 2;
/** Weights stay as they are, so that both engines play the same episodes. */
const ADAM = { learningRate: 0, beta1: 0.9, beta2: 0.95, eps: 1e-8, weightDecay: 0, gradClipNorm: 1 };

const { values } = parseArgs({
  options: { repeats: { type: 'string', default: '5' }, turns: { type: 'string', default: '12' } },
});
const repeats = Number(values.repeats);

/** What is played, and with which model. */
interface Setting {
  name: string;
  modelDir: string;
  environment: EnvironmentConfig;
  scaffold: Scaffold;
  /** How replies are drawn by an engine's own tokens. */
  params(engine: Engine): SamplingParams;
}

interface Step {
  /** Of the parts, seconds of wall time: what the children spend side by side is counted once. */
  environment: number;
  prefill: number;
  decode: number;
  training: number;
  /** Seconds of rollout, waiting for the slower child included. */
  rollout: number;
  /** Seconds of the children's processor time in the rollout. */
  processor: number;
  reusedShare: number;
  promptLengths: number[];
  turns: number;
}

const clock = () => performance.now() / 1000;
const median = (numbers: readonly number[]) => quantile(numbers, 0.5);
const quantile = (numbers: readonly number[], part: number) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))] ?? NaN;
const seconds = (value: number) => value.toFixed(2);

/** Plays and trains one step, as a recipe does. Every second episode is told that it was good. */
async function measureStep(
  engine: OnnxEngine,
  setting: Setting,
  step: number,
  isTrained: boolean,
): Promise<Step> {
  const { environment, scaffold, params } = setting;
  const suite = await openEnvironment(environment);
  const sampler = await engine.training.saveWeightsForSampler();
  const usedBefore = processorSeconds(engine.childPids);
  const started = clock();
  const requests = Array.from({ length: GROUPS * GROUP_SIZE }, (_, index) => {
    const group = Math.floor(index / GROUP_SIZE);
    const task = suite.trainTask({ runSeed: 1, step, group });
    return { task, group, sample: index % GROUP_SIZE, seed: hashSeed(1, step, index) };
  });
  const { episodes, environmentS } = await playEpisodes(requests, {
    environment: suite.environment,
    scaffold,
    tokenizer: engine.tokenizer,
    stopTokens: engine.stopTokens,
    respond: freeResponder(sampler, params(engine)),
    lanes: sampler.lanes,
    maxPromptTokens: engine.contextTokens - params(engine).maxTokens,
    step,
    phase: 'train',
    decoding: 'sampled',
    records: () => false,
    clock,
  });
  const played = clock();
  const processor = processorSeconds(engine.childPids) - usedBefore;
  if (isTrained) {
    const rows = episodes.flatMap(({ calls }, index) => rowsOf(calls, index % 2 ? 1 : -1));
    await engine.training.forwardBackward(rowsToData(rows, 'token-mean'), 'ppo');
    await engine.training.optimStep(ADAM);
  }
  const { prompt, reused } = sampler.counts();
  const { prefillS, decodeS } = sampler.times();
  return {
    environment: environmentS / CHILDREN,
    prefill: prefillS / CHILDREN,
    decode: decodeS / CHILDREN,
    training: clock() - played,
    rollout: played - started,
    processor,
    reusedShare: reused / prompt,
    promptLengths: episodes.flatMap(({ calls }) => calls.map((call) => call.prompt.length)),
    turns: episodes.reduce((sum, { calls }) => sum + calls.length, 0),
  };
}

/** Keeping and forgetting take turns, so that the machine's other work weighs on both alike. */
async function compare(setting: Setting): Promise<{ kept: Step[]; forgotten: Step[] }> {
  const open = (prefixCacheMb?: number) =>
    createOnnxEngine({
      modelDir: setting.modelDir,
      children: CHILDREN,
      microBatchTokens: 4096,
      ...(prefixCacheMb !== undefined && { prefixCacheMb }),
    });
  const [keeping, forgetting] = await Promise.all([open(), open(0)]);
  const kept: Step[] = [];
  const forgotten: Step[] = [];
  try {
    for (let step = 0; step < repeats; step++) {
      kept.push(await measureStep(keeping, setting, step, true));
      forgotten.push(await measureStep(forgetting, setting, step, false));
      console.log(
        `${setting.name} ${step + 1}: ${describe(kept[step])}; nothing kept: ${describe(forgotten[step])}; load ${loadavg()[0]?.toFixed(2)}`,
      );
    }
  } finally {
    await Promise.all([keeping.close(), forgetting.close()]);
  }
  return { kept, forgotten };
}

function describe(step: Step | undefined): string {
  if (!step) return '';
  const { environment, prefill, decode, training, rollout, processor, reusedShare, turns } = step;
  return `${turns} turns, rollout ${seconds(rollout)} s (environment ${seconds(environment)}, prefill ${seconds(prefill)}, decode ${seconds(decode)}, processor ${seconds(processor)}), training ${seconds(training)}, reused ${reusedShare.toFixed(3)}`;
}

function summarise(name: string, { kept, forgotten }: { kept: Step[]; forgotten: Step[] }): void {
  const lengths = kept.flatMap(({ promptLengths }) => promptLengths);
  console.log(
    `${name}: prompt lengths median ${median(lengths)}, p95 ${quantile(lengths, 0.95)}, max ${Math.max(...lengths)} tokens`,
  );
  for (const part of ['rollout', 'prefill', 'decode', 'processor'] as const) {
    const [own, baseline] = [kept, forgotten].map((steps) => median(steps.map((step) => step[part])));
    console.log(
      `${name}: ${part} ${seconds(own ?? NaN)} s, nothing kept ${seconds(baseline ?? NaN)} s, ratio ${((own ?? NaN) / (baseline ?? NaN)).toFixed(2)}`,
    );
  }
}

const modelDir = await mkdtemp(join(tmpdir(), 'stepscope-bench-rollout-'));
try {
  const scaffold = openScaffold({ id: 'tool-call' });
  await writeToolCallModel(modelDir, scaffold);
  const conversations = await compare({
    name: 'tool-call',
    modelDir,
    environment: { ...BABYAI_TEXT_DEFAULTS, maxTurns: Number(values.turns) },
    scaffold,
    params: ({ tokenizer, stopTokens }) => ({
      maxTokens: 64,
      temperature: 1,
      stopTokens,
      allowedReplies: toolCallReplies().map((reply) => [
        ...tokenizer.encode(reply),
        ...stopTokens.slice(0, 1),
      ]),
    }),
  });
  const { demo } = GRPO_PRESETS;
  const rebuilt = await compare({
    name: 'recent-actions',
    modelDir: demo.engine.model,
    environment: demo.environment,
    scaffold: openScaffold(demo.scaffold),
    params: ({ stopTokens }) => ({ maxTokens: demo.rollout.maxReplyTokens, temperature: 1, stopTokens }),
  });
  summarise('tool-call', conversations);
  summarise('recent-actions', rebuilt);
  const { kept } = conversations;
  const figure = (value: (step: Step) => number) => median(kept.map(value)).toFixed(3);
  for (const part of ['environment', 'prefill', 'decode', 'training'] as const)
    console.log(`FIGURE ${part}_s=${figure((step) => step[part])} s`);
  console.log(`FIGURE reused_share=${figure(({ reusedShare }) => reusedShare)} fraction`);
  console.log(`FIGURE seconds=${figure(({ rollout, training }) => rollout + training)} s`);
} finally {
  await rm(modelDir, { recursive: true });
}
