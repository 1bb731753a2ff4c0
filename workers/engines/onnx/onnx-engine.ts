import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { SeededLora } from '@/contract/lora';
import { AdapterWeights } from './adapters/adapter-weights';
import { untieHead } from './adapters/untie-head';
import { loadCheckpoint } from './checkpoint/folder';
import { FullWeights } from './full-weights';
import { readStopTokens } from './generation-config';
import { checkTokenIds } from './model/token-ids';
import { ChildPool } from './pool/pool';
import { OnnxSamplingClient } from './sampling-client';
import { createTokenizer, type ChatVariables } from './tokenizer/hugging-face-tokenizer';
import { INITIAL_VERSION, OnnxTrainingClient } from './training-client';

export interface OnnxEngineOptions {
  /** A Hugging Face folder. */
  modelDir: string;
  /** Child processes, one thread each. Part of the arithmetic: other counts sum gradients in another order. */
  children: number;
  /** Most tokens of a training micro-batch, padding included. */
  microBatchTokens: number;
  /**
   * Memory of each child for the keys and values of earlier turns, in MB of 1e6 bytes, default 256. Part of the
   * arithmetic: what is kept is not computed anew.
   */
  prefixCacheMb?: number;
  /** Train adapters on the model instead of all its parameters. */
  lora?: SeededLora | null;
  /** What saved adapters call the model, default `modelDir`. */
  modelName?: string;
  chatVariables?: ChatVariables;
}

/** An engine whose child processes can be named. */
export interface OnnxEngine extends Engine {
  readonly childPids: number[];
}

/**
 * Opens the embedded engine. Throws where the folder is not a model it can compute, naming file and value, and where a
 * child cannot start. Once a child has died, every call rejects with an error that names it.
 */
export async function createOnnxEngine({
  modelDir,
  children,
  microBatchTokens,
  prefixCacheMb = 256,
  lora = null,
  modelName = modelDir,
  chatVariables,
}: OnnxEngineOptions): Promise<OnnxEngine> {
  const loaded = await loadCheckpoint(modelDir);
  const tokenizer = createTokenizer(modelDir, loaded.textFiles, chatVariables);
  if (tokenizer.vocabularySize > loaded.config.vocabularySize)
    throw new AppError(
      'invalid_input',
      `${modelDir}: tokenizer.json has ${tokenizer.vocabularySize} ids, config.json's vocab_size is ${loaded.config.vocabularySize}`,
    );
  const stopTokens = readStopTokens(modelDir, loaded.textFiles);
  checkTokenIds(stopTokens, `${modelDir}/generation_config.json: eos_token_id`, loaded.config.vocabularySize);
  const base = lora?.targets.includes('unembed') ? untieHead(loaded) : loaded;
  const { config, parametersP } = base;
  const weights = lora ? new AdapterWeights(base, modelName, lora) : new FullWeights(base);
  const pool = await ChildPool.open(children, {
    config,
    microBatchTokens,
    prefixCacheBytes: prefixCacheMb * 1e6,
  });
  return {
    kind: 'onnx',
    tokenizer,
    stopTokens,
    contextTokens: config.maxPositions,
    parameters: weights.trainableCount,
    training: new OnnxTrainingClient(pool, config, weights),
    base: new OnnxSamplingClient(pool, config, { version: INITIAL_VERSION, parametersP }),
    childPids: pool.pids,
    close: () => pool.close(),
  };
}
