import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { saveCheckpoint } from '../engines/onnx/checkpoint/folder';
import { parameterCount, parameterSpecs, type ModelConfig } from '../engines/onnx/model/parameters';
import { buildPhraseTokenizer } from '../engines/onnx/tokenizer/phrase-tokenizer';
import { babyAiPhrases } from '../models/babyai-vocabulary';
import { createRandom } from '@/rl/random';

/** Writes an untrained base model that reads BabyAI and computes a step in well under a second. */
export async function writeTinyBase(dir: string): Promise<void> {
  const { vocabularySize, ...files } = buildPhraseTokenizer(babyAiPhrases());
  const config: ModelConfig = {
    vocabularySize,
    hiddenSize: 32,
    layers: 1,
    heads: 2,
    keyValueHeads: 1,
    intermediateSize: 32,
    ropeTheta: 10_000,
    rmsNormEps: 1e-6,
    tiedEmbeddings: true,
    maxPositions: 1024,
  };
  const random = createRandom(1);
  const parametersP = Float32Array.from(
    { length: parameterCount(config) },
    () => (random.next() - 0.5) * 0.2,
  );
  for (const { name, offset, size } of parameterSpecs(config))
    if (name.endsWith('Norm')) parametersP.fill(1, offset, offset + size);
  await saveCheckpoint(dir, {
    config,
    parametersP,
    textFiles: {
      'tokenizer.json': JSON.stringify(files.tokenizerJson),
      'tokenizer_config.json': JSON.stringify(files.tokenizerConfig),
      'generation_config.json': JSON.stringify(files.generationConfig),
    },
    optimizer: null,
  });
}

/**
 * GRPO in small: every step is an update, since the entropy bonus has a gradient even where all rewards of a group
 * are equal, so that a checkpoint that was restored wrongly shows in the next step's figures.
 */
export function tinyConfig(modelDir: string, changes: Partial<GrpoConfig> = {}): GrpoConfig {
  const { verify } = GRPO_PRESETS;
  return {
    ...verify,
    steps: 40,
    engine: { ...verify.engine, model: modelDir, children: 1, microBatchTokens: 1024 },
    environment: { ...verify.environment, maxTurns: 2 },
    rollout: { groups: 2, groupSize: 2, temperature: 1, maxReplyTokens: 4, maxPromptTokens: 512 },
    advantage: { ...verify.advantage, dropDegenerateGroups: false },
    update: { ...verify.update, minibatches: 1, entropyCoef: 0.01, learningRate: 1e-3 },
    evaluation: { ...verify.evaluation, everySteps: 0, splits: [], finalSplits: [], controls: false },
    probe: { tasks: 0, samples: 1 },
    checkpoint: { everySteps: 5 },
    recording: { trainGroups: 1 },
    ...changes,
  };
}
