import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelConfig } from '../model/parameters';
import { floatOutput, openSession } from '../session';
import { continuationGraph, HIDDEN } from './continuation-graph';
import type { KeyValueCache } from './key-value-cache';

/** What a pass computed of S new tokens in each of B rows. */
export interface Continued {
  /** After each row's last token, [B, V]. */
  logits: Float32Array;
  /** Keys and values of the new tokens, [B, 2 L KV, S, hd]. */
  appended: Float32Array;
  /** S, the new tokens of the longest row. */
  stride: number;
}

/** Continues rows of a cache: many tokens of a prompt, or one of a reply. */
export class Continuation {
  private causalMask = new Tensor('float32', new Float32Array(), [1, 1, 0, 0]);

  private constructor(
    private readonly config: ModelConfig,
    private readonly session: InferenceSession,
    private readonly names: { logits: string; appended: string },
  ) {}

  static async open(config: ModelConfig): Promise<Continuation> {
    const { model, ...names } = continuationGraph(config);
    return new Continuation(config, await openSession(model), names);
  }

  /** Computes the tokens that follow what the first rows of the cache hold, at least one a row; the cache stays as it is. */
  async run(
    parameters: Record<string, Tensor>,
    cache: KeyValueCache,
    tokens: readonly (readonly number[])[],
  ): Promise<Continued> {
    const rows = tokens.length;
    const stride = Math.max(...tokens.map((row) => row.length));
    const outputs = await this.session.run({
      ...parameters,
      ...cache.feeds(rows),
      ...this.tokenFeeds(tokens, stride, cache.lengths),
    });
    return {
      logits: floatOutput(outputs, this.names.logits),
      appended: floatOutput(outputs, this.names.appended),
      stride,
    };
  }

  private tokenFeeds(
    tokens: readonly (readonly number[])[],
    stride: number,
    lengths: readonly number[],
  ): Record<string, Tensor> {
    const rows = tokens.length;
    const ids = new Int32Array(rows * stride);
    const positions = new BigInt64Array(rows * stride);
    tokens.forEach((row, index) => {
      ids.set(row, index * stride);
      // The padding's positions need only exist.
      for (let t = 0; t < row.length; t++) positions[index * stride + t] = BigInt((lengths[index] ?? 0) + t);
    });
    const lastRows = Int32Array.from(tokens, (row, index) => index * stride + row.length - 1);
    return {
      ids: new Tensor('int32', ids, [ids.length]),
      rowShape: new Tensor('int64', BigInt64Array.of(BigInt(rows), BigInt(stride), -1n), [3]),
      positions: new Tensor('int64', positions, [rows, stride]),
      lastRows: new Tensor('int32', lastRows, [rows]),
      causalMask: this.causalMaskOf(stride),
    };
  }

  /** [1, 1, G S, S]; the last one is kept, for steps of one length follow each other. */
  private causalMaskOf(stride: number): Tensor {
    if (this.causalMask.dims[3] === stride) return this.causalMask;
    const { heads, keyValueHeads } = this.config;
    const queries = (heads / keyValueHeads) * stride;
    const mask = new Float32Array(queries * stride);
    for (let query = 0; query < queries; query++)
      mask.fill(HIDDEN, query * stride + (query % stride) + 1, (query + 1) * stride);
    this.causalMask = new Tensor('float32', mask, [1, 1, queries, stride]);
    return this.causalMask;
  }
}
