import { Tensor } from 'onnxruntime-node';
import { headSize, type ModelConfig } from '../model/parameters';
import { cachedKeys, cachedValues, HIDDEN } from './continuation-graph';
import { type CachedPrefix, partsOf } from './prefix-store';

/** Room grows by this many tokens a row: attention computes all of it. */
const GROWTH_TOKENS = 64;
/** Memory is asked for with some to spare, for sequences get longer from turn to turn. */
const SPARE = 1.5;

/** Bytes of the keys and values of one token. */
export function bytesPerToken(config: ModelConfig): number {
  return 2 * config.layers * config.keyValueHeads * headSize(config) * Float32Array.BYTES_PER_ELEMENT;
}

/**
 * The keys and values of rows that are computed together, fed to the graph in place. Each row has room for `capacity`
 * tokens; memory is kept from one use to the next.
 */
export class KeyValueCache {
  /** Tokens each row holds. */
  readonly lengths: number[] = [];
  private capacity = 0;
  /** Each layer's keys, then each layer's values: [rows, KV, capacity, hd]. */
  private tensors: Float32Array[];
  private mask = new Float32Array();

  constructor(private readonly config: ModelConfig) {
    this.tensors = Array.from({ length: 2 * config.layers }, () => new Float32Array());
  }

  /** Forgets what it holds and makes room for `capacity` tokens in each of `rows` rows. */
  reset(rows: number, capacity: number): void {
    this.lengths.length = 0;
    this.lengths.push(...new Array<number>(rows).fill(0));
    this.layOut(capacity);
  }

  /** Gives its memory back. */
  release(): void {
    this.tensors = this.tensors.map(() => new Float32Array());
    this.mask = new Float32Array();
  }

  /** Starts a row with a prefix. */
  load(row: number, prefix: CachedPrefix): void {
    this.reserve(prefix.length);
    const { capacity } = this;
    const { keyValueHeads } = this.config;
    const hd = headSize(this.config);
    for (const { start, count, stride, values } of partsOf(prefix))
      this.tensors.forEach((tensor, index) => {
        for (let head = 0; head < keyValueHeads; head++) {
          const from = (index * keyValueHeads + head) * stride * hd;
          const to = ((row * keyValueHeads + head) * capacity + start) * hd;
          tensor.set(values.subarray(from, from + count * hd), to);
        }
      });
    this.lengths[row] = prefix.length;
    this.showHeld(row);
  }

  /** Writes `appended` [rows, 2 L KV, 1, hd], one token's keys and values for each of the first `rows` rows. */
  append(appended: Float32Array, rows: number): void {
    this.reserve(1 + Math.max(...this.lengths.slice(0, rows)));
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

  /** A copy of a row's keys and values from position `first` to its end, [2 L KV, positions, hd]. */
  read(row: number, first: number): Float32Array {
    const { capacity } = this;
    const { keyValueHeads } = this.config;
    const hd = headSize(this.config);
    const size = ((this.lengths[row] ?? 0) - first) * hd;
    const values = new Float32Array(this.tensors.length * keyValueHeads * size);
    this.tensors.forEach((tensor, index) => {
      for (let head = 0; head < keyValueHeads; head++) {
        const from = ((row * keyValueHeads + head) * capacity + first) * hd;
        values.set(tensor.subarray(from, from + size), (index * keyValueHeads + head) * size);
      }
    });
    return values;
  }

  /** Moves a row's contents to another place, whose own are lost. */
  move(from: number, to: number): void {
    const rowSize = this.config.keyValueHeads * this.capacity * headSize(this.config);
    for (const tensor of this.tensors) tensor.copyWithin(to * rowSize, from * rowSize, (from + 1) * rowSize);
    this.lengths[to] = this.lengths[from] ?? 0;
    this.showHeld(to);
  }

  /** The graph's inputs for the first `rows` rows, without a copy. */
  feeds(rows: number): Record<string, Tensor> {
    const { config, capacity } = this;
    const shape = [rows, config.keyValueHeads, capacity, headSize(config)];
    const size = shape.reduce((product, n) => product * n, 1);
    const feeds: Record<string, Tensor> = {
      mask: new Tensor('float32', this.mask.subarray(0, rows * capacity), [rows, 1, 1, capacity]),
      cachedTokens: new Tensor('int64', BigInt64Array.of(BigInt(capacity)), [1]),
    };
    this.tensors.forEach((tensor, index) => {
      const name = index < config.layers ? cachedKeys(index) : cachedValues(index - config.layers);
      feeds[name] = new Tensor('float32', tensor.subarray(0, size), shape);
    });
    return feeds;
  }

  private reserve(length: number): void {
    if (length > this.capacity) this.layOut(Math.ceil(length / GROWTH_TOKENS) * GROWTH_TOKENS);
  }

  /** Gives every row room for `capacity` tokens. What rows hold moves to the right, so the last goes first. */
  private layOut(capacity: number): void {
    const { keyValueHeads } = this.config;
    const hd = headSize(this.config);
    const rows = this.lengths.length;
    const size = rows * keyValueHeads * capacity * hd;
    this.tensors = this.tensors.map((tensor) => {
      const target = tensor.length < size ? new Float32Array(Math.ceil(size * SPARE)) : tensor;
      for (let row = rows - 1; row >= 0; row--) {
        const held = (this.lengths[row] ?? 0) * hd;
        for (let head = keyValueHeads - 1; held > 0 && head >= 0; head--) {
          const block = (row * keyValueHeads + head) * hd;
          const from = block * this.capacity;
          target.set(tensor.subarray(from, from + held), block * capacity);
        }
      }
      return target;
    });
    this.capacity = capacity;
    if (this.mask.length < rows * capacity) this.mask = new Float32Array(Math.ceil(rows * capacity * SPARE));
    for (let row = 0; row < rows; row++) this.showHeld(row);
  }

  /** Lets attention see what a row holds and nothing else. */
  private showHeld(row: number): void {
    const { capacity, mask } = this;
    const held = row * capacity + (this.lengths[row] ?? 0);
    mask.fill(0, row * capacity, held);
    mask.fill(HIDDEN, held, (row + 1) * capacity);
  }
}
