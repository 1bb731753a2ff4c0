import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Engine, Tokenizer } from '@/contract/engine';
import { evaluationMetric, type EvaluationMetric, type EvaluationResult } from '@/contract/evaluation';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import type { Demonstration } from '@/rl/environments/demonstration';
import { imitate, type DemonstratedTurn, type ImitationSettings } from '@/rl/learning/imitation';
import { createRandom, hashSeed, type Random } from '@/rl/random';
import { evaluateCheckpoint, taskSets } from '@/rl/recipes/evaluation';
import { setUp } from '@/rl/recipes/setup';
import { openScaffold } from '@/rl/scaffolds/registry';
import { wilson } from '@/stats/wilson';
import { createEngine } from '../engines/engine';
import { loadCheckpoint, saveCheckpoint } from '../engines/onnx/checkpoint/folder';
import { initializeParameters } from '../engines/onnx/model/initialize';
import type { ModelConfig } from '../engines/onnx/model/parameters';
import { buildPhraseTokenizer } from '../engines/onnx/tokenizer/phrase-tokenizer';
import { REPOSITORY_DIR } from '../env';
import { localContext } from '../run/local-context';

/** A small base model, and how it is made. */
export interface WarmStart {
  /** Names the seeds' streams: `babyai-tiny`. */
  name: string;
  /** The tokenizer's phrases. */
  phrases: readonly string[];
  shape: Omit<ModelConfig, 'vocabularySize'>;
  /** What is imitated. */
  demonstrations: (random: Random) => Iterable<Demonstration>;
  imitation: ImitationSettings;
  /** The run that starts from the model: its engine, environment, scaffold and reply length are the ones made for. */
  config: GrpoConfig;
  /** Where the model must start, greedy and sampled: something to learn, and something to learn from. */
  bands: Readonly<Partial<Record<EvaluationMetric, readonly [low: number, high: number]>>>;
}

/**
 * Makes a base model's folder `out`: fresh weights, warm-started on demonstrations, rounded to bf16. The same seed makes
 * the same folder on the same number of children. Prints what came of it on all of `valid_seen`; false where a figure
 * is outside its band.
 */
export async function makeWarmStarted(model: WarmStart, out: string, seed: number): Promise<boolean> {
  const dir = resolve(REPOSITORY_DIR, out);
  const work = await mkdtemp(join(tmpdir(), `${model.name}-`));
  try {
    await writeUntrained(model, join(work, 'untrained'), seed);
    const engine = await openEngine(model, join(work, 'untrained'));
    try {
      await warmStart(model, engine, seed);
      await engine.training.saveState(join(work, 'trained'));
    } finally {
      await engine.close();
    }
    const trained = await loadCheckpoint(join(work, 'trained'));
    await saveCheckpoint(dir, { ...trained, optimizer: null }, { dtype: 'BF16' });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  console.log(`written to ${dir}`);
  const evaluations = await evaluationsOf(model, dir);
  return evaluations.map((evaluation) => isWithinBands(evaluation, model.bands)).every(Boolean);
}

const openEngine = ({ config }: Pick<WarmStart, 'config'>, dir: string): Promise<Engine> =>
  createEngine({ ...config.engine, model: dir });

/** A folder of configuration, tokenizer and random weights. */
async function writeUntrained({ name, phrases, shape }: WarmStart, dir: string, seed: number): Promise<void> {
  const { tokenizerJson, tokenizerConfig, generationConfig, vocabularySize } = buildPhraseTokenizer(phrases);
  const config: ModelConfig = { vocabularySize, ...shape };
  const random = createRandom(hashSeed(`${name} initialisation`, seed));
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

/** Demonstrated turns as the run's scaffold and the model's tokenizer write them. */
export function demonstratedTurns(
  { rows }: Demonstration,
  { scaffold }: Pick<GrpoConfig, 'scaffold'>,
  tokenizer: Tokenizer,
): DemonstratedTurn[] {
  const { prompt } = openScaffold(scaffold);
  const end = tokenizer.specialId('<|end|>');
  return rows.map(({ goal, pastActions, observation, thought, action }) => ({
    prompt: tokenizer.encodeChat(
      prompt({
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

async function warmStart(model: WarmStart, engine: Engine, seed: number): Promise<void> {
  const { name, demonstrations, config, imitation } = model;
  const shown = [...demonstrations(createRandom(hashSeed(`${name} demonstrations`, seed)))];
  const turns = shown.flatMap((demonstration) => demonstratedTurns(demonstration, config, engine.tokenizer));
  const invalid = shown.reduce((sum, { invalidActions }) => sum + invalidActions, 0);
  const won = shown.filter(({ success }) => success).length;
  const tokens = turns.reduce((sum, { prompt, reply }) => sum + prompt.length + reply.length, 0);
  console.log(
    `${shown.length} demonstrations, ${turns.length} turns of ${(tokens / turns.length).toFixed(1)} tokens, success ` +
      `${(won / shown.length).toFixed(2)}, invalid actions ${(invalid / turns.length).toFixed(2)}, ` +
      `${engine.parameters} parameters`,
  );
  const started = performance.now();
  const random = createRandom(hashSeed(`${name} batches`, seed));
  for await (const { update, updates, replyLoss } of imitate(engine.training, turns, imitation, random))
    if (update % 50 === 0 || update === updates)
      console.log(
        `update ${update}/${updates}  reply loss ${replyLoss.toFixed(3)}  ${((performance.now() - started) / 1000).toFixed(0)} s`,
      );
}

/** Greedy and sampled, on the run's last evaluation of `valid_seen`. */
export async function evaluationsOf(
  model: Pick<WarmStart, 'config'>,
  dir: string,
): Promise<EvaluationResult[]> {
  const engine = await openEngine(model, dir);
  try {
    const sampler = await engine.training.saveWeightsForSampler();
    const setup = await setUp(
      model.config,
      localContext(engine, () => dir),
    );
    const sizes = model.config.evaluation.finalSplits.filter(({ split }) => split === 'valid_seen');
    const results: EvaluationResult[] = [];
    for await (const event of evaluateCheckpoint(setup, sampler, 0, taskSets(setup.suite, sizes)))
      if (event.kind === 'evaluation:finished') results.push(event.evaluation);
    return results;
  } finally {
    await engine.close();
  }
}

/** Prints a line and says whether the evaluation is within the bands. */
export function isWithinBands(evaluation: EvaluationResult, bands: WarmStart['bands']): boolean {
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
    const [low, high] = bands[metric] ?? [0, 1];
    const holds = value >= low && value <= high;
    if (!holds) console.log(`${decoding} ${metric} ${value.toFixed(3)} is outside ${low} to ${high}`);
    return holds;
  });
}
