import { createRandom } from '@/rl/random';
import { saveCheckpoint } from '../engines/onnx/checkpoint/folder';
import { type ModelConfig, parameterCount, parameterSpecs } from '../engines/onnx/model/parameters';
import { buildPhraseTokenizer } from '../engines/onnx/tokenizer/phrase-tokenizer';

const PHRASES = [' go to', ' red ball', ' turn left', 'Thought:', ' Action:'];

/** Writes a model folder for tests: random weights of a shape that computes in milliseconds, changed by `shape`. */
export async function writeTinyModel(
  dir: string,
  seed: number,
  shape: Partial<ModelConfig> = {},
): Promise<ModelConfig> {
  const { vocabularySize, ...files } = buildPhraseTokenizer(PHRASES);
  const config: ModelConfig = {
    vocabularySize,
    hiddenSize: 64,
    layers: 2,
    heads: 4,
    keyValueHeads: 2,
    intermediateSize: 96,
    ropeTheta: 10_000,
    rmsNormEps: 1e-6,
    tiedEmbeddings: true,
    maxPositions: 256,
    ...shape,
  };
  await saveCheckpoint(dir, {
    config,
    parametersP: randomParameters(config, seed),
    textFiles: {
      'tokenizer.json': JSON.stringify(files.tokenizerJson),
      'tokenizer_config.json': JSON.stringify(files.tokenizerConfig),
      'generation_config.json': JSON.stringify(files.generationConfig),
    },
    optimizer: null,
  });
  return config;
}

/** Weights, biases and norms large enough that a wrong head, position or norm moves logits by several nats. */
export function randomParameters(config: ModelConfig, seed: number): Float32Array {
  const random = createRandom(seed);
  const parametersP = Float32Array.from(
    { length: parameterCount(config) },
    () => (random.next() - 0.5) * 0.6,
  );
  for (const { name, offset, size } of parameterSpecs(config))
    if (name.endsWith('Norm'))
      for (let i = offset; i < offset + size; i++) parametersP[i] = 0.5 + random.next();
  return parametersP;
}
