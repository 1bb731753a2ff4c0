import type { Tensor } from 'onnxruntime-node';
import { headSize, type ModelConfig } from '../model/parameters';
import type { Continuation, Continued } from './continuation';
import { KeyValueCache } from './key-value-cache';
import type { CachedPrefix, PrefixStore } from './prefix-store';

/** New tokens of a pass, padding included: enough to keep the multiplications busy, few enough to pad little. */
const PASS_TOKENS = 512;

/** Tokens to be computed, of which `known`, at least one less, is computed already. */
export interface PrefillTarget {
  tokens: readonly number[];
  known: CachedPrefix;
}

export interface Prefilled {
  /** All of the target's tokens. */
  prefix: CachedPrefix;
  /** Logits after the last token, [V]. */
  logits: Float32Array;
}

/** Computes prompts from where what is stored of them ends, and stores what it computed. */
export class Prefill {
  private readonly cache: KeyValueCache;

  constructor(
    private readonly config: ModelConfig,
    private readonly continuation: Continuation,
    private readonly store: PrefixStore,
  ) {
    this.cache = new KeyValueCache(config);
  }

  /** In the order of the targets. */
  async compute(parameters: Record<string, Tensor>, targets: readonly PrefillTarget[]): Promise<Prefilled[]> {
    const done = new Map<PrefillTarget, Prefilled>();
    for (const batch of passBatches(targets)) {
      const computed = await this.computeBatch(parameters, batch);
      batch.forEach((target, row) => {
        const prefilled = computed[row];
        if (prefilled) done.set(target, prefilled);
      });
    }
    return targets.flatMap((target) => done.get(target) ?? []);
  }

  /** Gives its memory back. */
  release(): void {
    this.cache.release();
  }

  /** One pass, or as many as a long target needs. */
  private async computeBatch(
    parameters: Record<string, Tensor>,
    batch: readonly PrefillTarget[],
  ): Promise<Prefilled[]> {
    const { vocabularySize: V } = this.config;
    let known = batch.map((target) => target.known);
    for (;;) {
      const tokens = batch.map((target, row) => {
        const from = known[row]?.length ?? 0;
        return target.tokens.slice(from, from + PASS_TOKENS);
      });
      this.cache.reset(batch.length, Math.max(1, ...known.map(({ length }) => length)));
      known.forEach((prefix, row) => this.cache.load(row, prefix));
      const continued = await this.continuation.run(parameters, this.cache, tokens);
      known = known.map((prefix, row) =>
        this.store.extend(prefix, tokens[row] ?? [], (first) =>
          this.valuesOf(continued, row, { first, end: tokens[row]?.length ?? 0 }),
        ),
      );
      if (batch.every((target, row) => known[row]?.length === target.tokens.length))
        return known.map((prefix, row) => ({
          prefix,
          logits: continued.logits.subarray(row * V, (row + 1) * V),
        }));
    }
  }

  /** A copy of a row's new keys and values from its new token `first` to `end`, [2 L KV, end - first, hd]. */
  private valuesOf(
    { appended, stride }: Continued,
    row: number,
    { first, end }: { first: number; end: number },
  ): Float32Array {
    const { layers, keyValueHeads } = this.config;
    const hd = headSize(this.config);
    const heads = 2 * layers * keyValueHeads;
    const size = (end - first) * hd;
    const values = new Float32Array(heads * size);
    for (let head = 0; head < heads; head++) {
      const from = ((row * heads + head) * stride + first) * hd;
      values.set(appended.subarray(from, from + size), head * size);
    }
    return values;
  }
}

/** Cuts targets into passes of at most `PASS_TOKENS` new tokens, like lengths together; a longer target is alone. */
function passBatches(targets: readonly PrefillTarget[]): PrefillTarget[][] {
  const remaining = ({ tokens, known }: PrefillTarget): number => tokens.length - known.length;
  const batches: PrefillTarget[][] = [];
  let batch: PrefillTarget[] = [];
  for (const target of [...targets].sort(
    (a, b) => remaining(a) - remaining(b) || a.known.length - b.known.length,
  )) {
    if (batch.length > 0 && (batch.length + 1) * remaining(target) > PASS_TOKENS) {
      batches.push(batch);
      batch = [];
    }
    batch.push(target);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
