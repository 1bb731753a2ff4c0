import { Tensor } from 'onnxruntime-node';
import { headSize, type ModelConfig } from '../model/parameters';
import { cachedKeys, cachedValues } from './step-graph';

/** Keys and values of one prompt: per layer the keys, then per layer the values; each a view of [KV, stride, hd]. */
export interface PromptCache {
  tensors: Float32Array[];
  /** Positions held for each head, of which the first `length` are the prompt. */
  stride: number;
  length: number;
}

/** Added to the score of a position that holds no token; far below any score, yet finite in f32. */
const HIDDEN = -1e9;

/**
 * The rows that decode together. Each row has room for `capacity` tokens; the live rows are always the first ones, so a
 * step computes no finished row. Memory is fed to the step graph in place.
 */
export class KeyValueCache {
  readonly lengths: number[];
  private readonly tensors: Float32Array[];
  private readonly mask: Float32Array;

  constructor(
    private readonly config: ModelConfig,
    rows: number,
    private readonly capacity: number,
  ) {
    const rowSize = config.keyValueHeads * capacity * headSize(config);
    this.tensors = Array.from({ length: 2 * config.layers }, () => new Float32Array(rows * rowSize));
    this.mask = new Float32Array(rows * capacity).fill(HIDDEN);
    this.lengths = new Array<number>(rows).fill(0);
  }

  /** Starts a row with a prompt. */
  load(row: number, prompt: PromptCache): void {
    const { capacity } = this;
    const hd = headSize(this.config);
    prompt.tensors.forEach((source, index) => {
      for (let head = 0; head < this.config.keyValueHeads; head++) {
        const from = head * prompt.stride * hd;
        const to = (row * this.config.keyValueHeads + head) * capacity * hd;
        this.tensors[index]?.set(source.subarray(from, from + prompt.length * hd), to);
      }
    });
    this.mask.fill(0, row * capacity, row * capacity + prompt.length);
    this.lengths[row] = prompt.length;
  }

  /** Writes the step graph's `appended` [rows, 2 L KV, 1, hd] after what the first `rows` rows hold. */
  append(appended: Float32Array, rows: number): void {
    const { capacity } = this;
    const { keyValueHeads } = this.config;
    const hd = headSize(this.config);
    let from = 0;
    for (let row = 0; row < rows; row++) {
      const position = this.lengths[row] ?? 0;
      for (const tensor of this.tensors)
        for (let head = 0; head < keyValueHeads; head++) {
          const to = ((row * keyValueHeads + head) * capacity + position) * hd;
          for (let i = 0; i < hd; i++) tensor[to + i] = appended[from + i] ?? 0;
          from += hd;
        }
      this.mask[row * capacity + position] = 0;
      this.lengths[row] = position + 1;
    }
  }

  /** Moves a row's contents to another place, whose own are lost. */
  move(from: number, to: number): void {
    const rowSize = this.config.keyValueHeads * this.capacity * headSize(this.config);
    for (const tensor of this.tensors) tensor.copyWithin(to * rowSize, from * rowSize, (from + 1) * rowSize);
    this.mask.copyWithin(to * this.capacity, from * this.capacity, (from + 1) * this.capacity);
    this.lengths[to] = this.lengths[from] ?? 0;
  }

  /** The step graph's inputs for the first `rows` rows, without a copy. */
  feeds(rows: number): Record<string, Tensor> {
    const { config, capacity } = this;
    const shape = [rows, config.keyValueHeads, capacity, headSize(config)];
    const size = shape.reduce((product, n) => product * n, 1);
    const feeds: Record<string, Tensor> = {
      positions: new Tensor('int64', BigInt64Array.from(this.lengths.slice(0, rows), BigInt), [rows, 1]),
      mask: new Tensor('float32', this.mask.subarray(0, rows * capacity), [rows, 1, 1, capacity]),
    };
    this.tensors.forEach((tensor, index) => {
      const name = index < config.layers ? cachedKeys(index) : cachedValues(index - config.layers);
      feeds[name] = new Tensor('float32', tensor.subarray(0, size), shape);
    });
    return feeds;
  }
}
