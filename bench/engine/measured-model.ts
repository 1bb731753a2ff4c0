/** The models that the engine is measured on, and how many floating-point operations their work takes. */
import { createRandom } from '@/rl/random';
import { saveCheckpoint } from '@/workers/engines/onnx/checkpoint/folder';
import { initializeParameters } from '@/workers/engines/onnx/model/initialize';
import { headSize, queryWidth, type ModelConfig } from '@/workers/engines/onnx/model/parameters';
import { buildPhraseTokenizer } from '@/workers/engines/onnx/tokenizer/phrase-tokenizer';

function shaped(hiddenSize: number, intermediateSize: number): ModelConfig {
  return {
    vocabularySize: 1024,
    hiddenSize,
    layers: 4,
    heads: 4,
    keyValueHeads: 2,
    intermediateSize,
    ropeTheta: 10_000,
    rmsNormEps: 1e-6,
    tiedEmbeddings: true,
    maxPositions: 1024,
  };
}

/** 1.02 and 3.80 million parameters. */
export const MEASURED_MODELS = { '1m': shaped(128, 448), '4m': shaped(256, 896) };
export type MeasuredModel = keyof typeof MEASURED_MODELS;

/** Writes a model of this shape with seeded random weights as a Hugging Face folder. */
export async function writeModel(dir: string, config: ModelConfig): Promise<void> {
  const { tokenizerJson, tokenizerConfig, generationConfig } = buildPhraseTokenizer([]);
  await saveCheckpoint(dir, {
    config,
    parametersP: initializeParameters(config, createRandom(1)),
    textFiles: {
      'tokenizer.json': JSON.stringify(tokenizerJson),
      'tokenizer_config.json': JSON.stringify(tokenizerConfig),
      'generation_config.json': JSON.stringify(generationConfig),
    },
    optimizer: null,
  });
}

/** Elements of the matrices that every token is multiplied with, the head included. */
function matrixElements(config: ModelConfig): number {
  const { vocabularySize, hiddenSize, layers, heads, keyValueHeads, intermediateSize } = config;
  const queryKeyValue = hiddenSize * (heads + 2 * keyValueHeads) * headSize(config);
  const output = queryWidth(config) * hiddenSize;
  return vocabularySize * hiddenSize + layers * (queryKeyValue + output + 3 * hiddenSize * intermediateSize);
}

/** One token's forward pass where it attends to `attended` positions. */
function tokenFlops(config: ModelConfig, attended: number): number {
  return 2 * matrixElements(config) + 4 * attended * queryWidth(config) * config.layers;
}

/** The forward pass of `rows` sequences of `length` tokens, attention counted as the full square. */
export function forwardFlops(config: ModelConfig, rows: number, length: number): number {
  return rows * length * tokenFlops(config, length);
}

/** Forward and backward pass: three times the forward pass. */
export function trainingFlops(config: ModelConfig, rows: number, length: number): number {
  return 3 * forwardFlops(config, rows, length);
}

/** Writing `tokens` tokens after `prompt` tokens in each of `rows` sequences, one by one. */
export function decodingFlops(config: ModelConfig, rows: number, prompt: number, tokens: number): number {
  // Token i attends to itself and to the prompt + i before it, on average to half of what is written.
  return rows * tokens * tokenFlops(config, prompt + (tokens + 1) / 2);
}
