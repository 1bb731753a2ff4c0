/**
 * Makes `models/babyai-tiny`: a Qwen2 model of about 0.9 million parameters, warm-started on demonstrations that are
 * flawed on purpose, then rounded to bf16. Seeded: the same command makes the same folder on the same number of
 * children. Prints the bands the base must be in and exits 1 outside them.
 *
 * Usage: npm run make:babyai-tiny -- [--out DIR] [--seed N]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine, Tokenizer } from '@/contract/engine';
import { evaluationMetric, type EvaluationResult } from '@/contract/evaluation';
import { GRPO_PRESETS } from '@/contract/recipes/grpo';
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import { demonstrations, type Demonstration } from '@/rl/environments/babyai/demonstrations';
import { imitate, type DemonstratedTurn } from '@/rl/learning/imitation';
import { createRandom, hashSeed } from '@/rl/random';
import { evaluateCheckpoint, taskSets } from '@/rl/recipes/evaluation';
import { setUp } from '@/rl/recipes/grpo';
import { openScaffold } from '@/rl/scaffolds/registry';
import { wilson } from '@/stats/wilson';
import { createEngine } from '../engines/engine';
import { localContext } from '../run/local-context';
import { loadCheckpoint, saveCheckpoint } from '../engines/onnx/checkpoint/folder';
import { initializeParameters } from '../engines/onnx/model/initialize';
import type { ModelConfig } from '../engines/onnx/model/parameters';
import { buildPhraseTokenizer } from '../engines/onnx/tokenizer/phrase-tokenizer';
import { REPOSITORY_DIR } from '../env';
import { babyAiPhrases } from './babyai-vocabulary';

const DEMONSTRATIONS = 2800;
const IMITATION = {
  epochs: 3,
  batchSize: 64,
  learningRate: 1.5e-3,
  warmupUpdates: 20,
  promptWeight: 0.1,
  weightDecay: 0.01,
};
/** Where the base must start: something to learn, and something to learn from. */
const BANDS = { success_rate: [0.4, 0.6], invalid_action_rate: [0.4, 0.8] } as const;

const demo = GRPO_PRESETS.demo;
const engineFor = (model: string): Promise<Engine> => createEngine({ ...demo.engine, model });

/** A folder of configuration, tokenizer and random weights. */
async function writeUntrained(dir: string, seed: number): Promise<void> {
  const { tokenizerJson, tokenizerConfig, generationConfig, vocabularySize } =
    buildPhraseTokenizer(babyAiPhrases());
  const config: ModelConfig = {
    vocabularySize,
    hiddenSize: 128,
    layers: 4,
    heads: 4,
    keyValueHeads: 2,
    intermediateSize: 448,
    ropeTheta: 10_000,
    rmsNormEps: 1e-6,
    tiedEmbeddings: true,
    maxPositions: 512,
  };
  const random = createRandom(hashSeed('babyai-tiny initialisation', seed));
  await saveCheckpoint(dir, {
    config,
    parametersP: initializeParameters(config, random, 2),
    textFiles: {
      'tokenizer.json': `${JSON.stringify(tokenizerJson, null, 1)}\n`,
      'tokenizer_config.json': `${JSON.stringify(tokenizerConfig, null, 2)}\n`,
      'generation_config.json': `${JSON.stringify(generationConfig)}\n`,
    },
    optimizer: null,
  });
}

function demonstrationsOf(seed: number): Demonstration[] {
  const random = createRandom(hashSeed('babyai-tiny demonstrations', seed));
  const environment = createBabyAi({ maxTurns: demo.environment.maxTurns });
  return [...demonstrations({ environment, random, count: DEMONSTRATIONS })];
}

/** Demonstrated turns as the demo's scaffold and the model's tokenizer write them. */
function tokenized(demonstration: Demonstration, tokenizer: Tokenizer): DemonstratedTurn[] {
  const scaffold = openScaffold(demo.scaffold);
  const end = tokenizer.specialId('<|end|>');
  return demonstration.rows.map(({ goal, pastActions, observation, thought, action }) => ({
    prompt: tokenizer.encodeChat(
      scaffold.prompt({
        goal,
        past: pastActions.map((past) => ({ observation, reply: '', action: past })),
        observation,
        strategy: null,
        memory: null,
      }),
    ),
    reply: [...tokenizer.encode(`Thought: ${thought} Action: ${action}`), end],
  }));
}

async function warmStart(engine: Engine, seed: number): Promise<void> {
  const shown = demonstrationsOf(seed);
  const turns = shown.flatMap((demonstration) => tokenized(demonstration, engine.tokenizer));
  const invalid = shown.reduce((sum, { invalidActions }) => sum + invalidActions, 0);
  const won = shown.filter(({ success }) => success).length;
  console.log(
    `${shown.length} demonstrations, ${turns.length} turns, success ${(won / shown.length).toFixed(2)}, ` +
      `invalid actions ${(invalid / turns.length).toFixed(2)}, ${engine.parameters} parameters`,
  );
  const started = performance.now();
  const random = createRandom(hashSeed('babyai-tiny batches', seed));
  for await (const { update, updates, replyLoss } of imitate(engine.training, turns, IMITATION, random))
    if (update % 50 === 0 || update === updates)
      console.log(
        `update ${update}/${updates}  reply loss ${replyLoss.toFixed(3)}  ${((performance.now() - started) / 1000).toFixed(0)} s`,
      );
}

/** Greedy and sampled, on all of valid_seen. */
async function evaluationsOf(model: string): Promise<EvaluationResult[]> {
  const engine = await engineFor(model);
  try {
    const sampler = await engine.training.saveWeightsForSampler();
    const setup = await setUp(
      demo,
      localContext(engine, () => model),
    );
    const sets = taskSets(setup.suite, [{ split: 'valid_seen', tasks: 420 }]);
    const results: EvaluationResult[] = [];
    for await (const event of evaluateCheckpoint(setup, sampler, 0, sets))
      if (event.kind === 'evaluation:finished') results.push(event.evaluation);
    return results;
  } finally {
    await engine.close();
  }
}

/** Prints a line and says whether the evaluation is within the bands. */
function isWithinBands(evaluation: EvaluationResult): boolean {
  const { decoding, successes, n, byTaskType } = evaluation;
  const interval = wilson(successes, n);
  const types = byTaskType
    .map((type) => `${type.taskType} ${(type.successes / type.n).toFixed(2)}`)
    .join(', ');
  console.log(
    `${decoding}: success ${successes}/${n} ${(successes / n).toFixed(3)} [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}], ` +
      `invalid actions ${evaluationMetric(evaluation, 'invalid_action_rate').toFixed(3)}; ${types}`,
  );
  return (['success_rate', 'invalid_action_rate'] as const).every((metric) => {
    const value = evaluationMetric(evaluation, metric);
    const [low, high] = BANDS[metric];
    const holds = value >= low && value <= high;
    if (!holds) console.log(`${decoding} ${metric} ${value.toFixed(3)} is outside ${low} to ${high}`);
    return holds;
  });
}

const { values } = parseArgs({
  options: { out: { type: 'string', default: demo.engine.model }, seed: { type: 'string', default: '2' } },
});
const out = resolve(REPOSITORY_DIR, values.out);
const work = await mkdtemp(join(tmpdir(), 'babyai-tiny-'));
try {
  await writeUntrained(join(work, 'untrained'), Number(values.seed));
  const engine = await engineFor(join(work, 'untrained'));
  try {
    await warmStart(engine, Number(values.seed));
    await engine.training.saveState(join(work, 'trained'));
  } finally {
    await engine.close();
  }
  const trained = await loadCheckpoint(join(work, 'trained'));
  await saveCheckpoint(out, { ...trained, optimizer: null }, 'BF16');
} finally {
  await rm(work, { recursive: true, force: true });
}
const within = (await evaluationsOf(out)).map(isWithinBands);
console.log(`written to ${out}`);
process.exitCode = within.every(Boolean) ? 0 : 1;
