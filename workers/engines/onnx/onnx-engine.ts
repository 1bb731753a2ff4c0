import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { loadCheckpoint } from './checkpoint/folder';
import { readStopTokens } from './generation-config';
import { parameterCount } from './model/parameters';
import { ChildPool } from './pool/pool';
import { OnnxSamplingClient } from './sampling-client';
import { createTokenizer } from './tokenizer/hugging-face-tokenizer';
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
}: OnnxEngineOptions): Promise<OnnxEngine> {
  const checkpoint = await loadCheckpoint(modelDir);
  const { config, textFiles, parametersP } = checkpoint;
  const tokenizer = createTokenizer(modelDir, textFiles);
  if (tokenizer.vocabularySize > config.vocabularySize)
    throw new AppError(
      'invalid_input',
      `${modelDir}: tokenizer.json has ${tokenizer.vocabularySize} ids, config.json's vocab_size is ${config.vocabularySize}`,
    );
  const stopTokens = readStopTokens(modelDir, textFiles);
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
    parameters: parameterCount(config),
    training: new OnnxTrainingClient(pool, checkpoint),
    base: new OnnxSamplingClient(pool, config, { version: INITIAL_VERSION, parametersP }),
    childPids: pool.pids,
    close: () => pool.close(),
  };
}
