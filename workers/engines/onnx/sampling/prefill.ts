import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { headSize, type ModelConfig } from '../model/parameters';
import { floatOutput, openSession } from '../session';
import type { PromptCache } from './key-value-cache';
import { keyOutput, prefillGraph, valueOutput } from './sequence-graph';

/** A computed prompt, ready to be continued any number of times. */
export interface PrefilledPrompt {
  cache: PromptCache;
  /** Logits of the token after the prompt, [V]. */
  logits: Float32Array;
}

/** Feeds of a batch of sequences padded to the longest, shared by the prefill and the scoring graph. */
export function sequenceFeeds(sequences: readonly (readonly number[])[]): Record<string, Tensor> {
  const rows = sequences.length;
  const length = Math.max(...sequences.map((sequence) => sequence.length));
  const ids = new Int32Array(rows * length);
  sequences.forEach((sequence, row) => ids.set(sequence, row * length));
  return {
    ids: new Tensor('int32', ids, [ids.length]),
    qkvShape: new Tensor('int64', BigInt64Array.of(BigInt(rows), BigInt(length), -1n), [3]),
    lastPositions: new Tensor('int32', new Int32Array(rows).fill(length - 1), [rows]),
    sequenceLength: new Tensor('int32', Int32Array.of(length), [1]),
  };
}

/** Computes batches of prompts. */
export class Prefill {
  private constructor(
    private readonly config: ModelConfig,
    private readonly session: InferenceSession,
    private readonly logitsName: string,
  ) {}

  static async open(config: ModelConfig): Promise<Prefill> {
    const { model, logits } = prefillGraph(config);
    return new Prefill(config, await openSession(model), logits);
  }

  async run(
    parameters: Record<string, Tensor>,
    prompts: readonly (readonly number[])[],
  ): Promise<PrefilledPrompt[]> {
    const { config } = this;
    const stride = Math.max(...prompts.map((prompt) => prompt.length));
    const lastRows = Int32Array.from(prompts, (prompt, row) => row * stride + prompt.length - 1);
    const outputs = await this.session.run({
      ...parameters,
      ...sequenceFeeds(prompts),
      lastRows: new Tensor('int32', lastRows, [prompts.length]),
    });
    const layers = Array.from({ length: config.layers }, (_, layer) => layer);
    const caches = [...layers.map(keyOutput), ...layers.map(valueOutput)].map((name) =>
      floatOutput(outputs, name),
    );
    const logits = floatOutput(outputs, this.logitsName);
    const rowSize = config.keyValueHeads * stride * headSize(config);
    const V = config.vocabularySize;
    return prompts.map((prompt, row) => ({
      cache: {
        tensors: caches.map((values) => values.subarray(row * rowSize, (row + 1) * rowSize)),
        stride,
        length: prompt.length,
      },
      logits: logits.subarray(row * V, (row + 1) * V),
    }));
  }
}
