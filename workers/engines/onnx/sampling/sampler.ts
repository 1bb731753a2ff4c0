import type { Tensor } from 'onnxruntime-node';
import type { SampledSequence, SampleRequest, SamplingTimes, TokenCounts } from '@/contract/engine';
import type { ModelConfig } from '../model/parameters';
import { parameterFeeds } from '../session';
import { TokenChooser } from './choose-token';
import { Continuation } from './continuation';
import { bytesPerToken, KeyValueCache } from './key-value-cache';
import { Prefill } from './prefill';
import { type CachedPrefix, PrefixStore } from './prefix-store';
import { groupByPrompt, type PromptGroup, sharedPrefixes } from './prompt-groups';
import { SampleRow } from './sample-row';
import { Scoring } from './scoring';

/** Most rows that decode together, */
const DECODE_ROWS = 32;
/** and most bytes of their keys and values, were all to reach their longest. */
const DECODE_BYTES = 1 << 30;
/** Prompts are computed this many rows ahead of the free places, so that single places do not make single prompts. */
const PREFILL_AHEAD = 8;

export interface SampledBatch {
  /** In the order of the requests. */
  sequences: SampledSequence[];
  counts: TokenCounts;
  times: SamplingTimes;
}

export interface SamplerOptions {
  /** The flat vector of `parameterSpecs`, read at every call. Whoever changes it calls `forget`. */
  parametersP: Float32Array;
  /** Most bytes of keys and values kept for prompts that go on from earlier ones. */
  prefixCacheBytes: number;
}

/** A row whose turn to decode has not come. */
interface WaitingRow {
  row: SampleRow;
  group: PromptGroup;
}

/** A row whose reply goes on. */
interface LiveRow {
  row: SampleRow;
  prompt: CachedPrefix;
}

/**
 * Samples on one thread. `run` of onnxruntime-node blocks the event loop, so a sampler belongs in a child process.
 * What was computed of a sequence is kept for prompts that begin with it. How a batch is computed depends on its requests
 * and on those since the last `forget`, never on time.
 */
export class Sampler {
  private readonly chooser: TokenChooser;
  private readonly scoring: Scoring;
  private readonly prefill: Prefill;
  private readonly cache: KeyValueCache;

  private constructor(
    private readonly config: ModelConfig,
    private readonly parameters: Record<string, Tensor>,
    private readonly continuation: Continuation,
    private readonly store: PrefixStore,
  ) {
    this.chooser = new TokenChooser(config.vocabularySize);
    this.scoring = new Scoring(config);
    this.prefill = new Prefill(config, continuation, store);
    this.cache = new KeyValueCache(config);
  }

  static async open(
    config: ModelConfig,
    { parametersP, prefixCacheBytes }: SamplerOptions,
  ): Promise<Sampler> {
    const continuation = await Continuation.open(config);
    const store = new PrefixStore(prefixCacheBytes);
    return new Sampler(config, parameterFeeds(config, parametersP), continuation, store);
  }

  /** Drops what was computed with weights that are no more. */
  forget(): void {
    this.store.clear();
    this.prefill.release();
    this.cache.release();
  }

  /**
   * One reply a request; ids and lengths are the caller's to check. Prompts and prefixes that requests share are computed
   * once, and not at all where they were before. A row that ends makes room for the next one that waits.
   */
  async sampleBatch(requests: readonly SampleRequest[]): Promise<SampledBatch> {
    const started = performance.now();
    const rows = requests.map((request) => new SampleRow(request));
    const groups = groupByPrompt(rows, this.store);
    let prefillMs = await timed(() => this.computeShared(groups));
    const waiting = groups.flatMap((group) => group.rows.map((row): WaitingRow => ({ row, group })));
    const places = this.placesFor(requests);
    this.cache.reset(places, waiting[Math.min(places, waiting.length) - 1]?.group.prompt.length ?? 0);
    const live: LiveRow[] = [];
    do {
      while (live.length < places && waiting[0]) {
        const ahead = Math.min(places, Math.max(places - live.length, PREFILL_AHEAD));
        if (!waiting[0].group.logits)
          prefillMs += await timed(() => this.computePrompts(waiting.slice(0, ahead)));
        this.start(waiting[0], live);
        waiting.shift();
      }
      if (live.length > 0) await this.writeTokens(live);
    } while (live.length > 0 || waiting.length > 0);
    return {
      sequences: rows.map((row) => row.sequence),
      counts: countTokens(rows),
      times: { prefillS: prefillMs / 1000, decodeS: (performance.now() - started - prefillMs) / 1000 },
    };
  }

  /** Log-probability at temperature 1 of each token given those before it; the first is NaN. */
  computeLogprobs(tokens: readonly number[]): Promise<number[]> {
    return this.scoring.computeLogprobs(this.parameters, tokens);
  }

  private placesFor(requests: readonly SampleRequest[]): number {
    const longest = Math.max(0, ...requests.map(({ prompt, params }) => prompt.length + params.maxTokens));
    const fitting = Math.floor(DECODE_BYTES / (longest * bytesPerToken(this.config)));
    return Math.max(1, Math.min(DECODE_ROWS, fitting, requests.length));
  }

  /** Computes the prefixes that several prompts share; the first of them in the order of the requests is charged. */
  private async computeShared(groups: readonly PromptGroup[]): Promise<void> {
    for (let shared = sharedPrefixes(groups); shared.length > 0; shared = sharedPrefixes(groups)) {
      const targets = shared.map(({ members: [first], length }) => ({
        tokens: first.prompt.slice(0, length),
        known: first.known,
      }));
      const computed = await this.prefill.compute(this.parameters, targets);
      shared.forEach(({ members, length }, index) => {
        const known = computed[index]?.prefix ?? members[0].known;
        members[0].rows[0].sequence.prefilledTokens += length - members[0].known.length;
        for (const member of members) member.known = known;
      });
    }
  }

  /** Computes the prompts of waiting rows that are not computed yet. */
  private async computePrompts(waiting: readonly WaitingRow[]): Promise<void> {
    const groups = [...new Set(waiting.map(({ group }) => group))].filter(({ logits }) => logits === null);
    const targets = groups.map(({ prompt, known }) => ({ tokens: prompt, known }));
    const computed = await this.prefill.compute(this.parameters, targets);
    groups.forEach((group, index) => {
      const prefilled = computed[index];
      if (!prefilled) return;
      group.rows[0].sequence.prefilledTokens += group.prompt.length - group.known.length;
      group.known = prefilled.prefix;
      group.logits = prefilled.logits;
    });
  }

  /** Writes a row's first token, and gives it the next place where it goes on. */
  private start({ row, group }: WaitingRow, live: LiveRow[]): void {
    if (!group.logits) throw new Error('a row starts before its prompt is computed');
    if (row.write(group.logits, this.chooser)) return;
    this.cache.load(live.length, group.known);
    live.push({ row, prompt: group.known });
  }

  /** One step of every live row; finished rows leave `live` and the last rows take their places. */
  private async writeTokens(live: LiveRow[]): Promise<void> {
    const { cache } = this;
    const { vocabularySize: V } = this.config;
    const { logits, appended } = await this.continuation.run(
      this.parameters,
      cache,
      live.map(({ row }) => [row.lastToken]),
    );
    cache.append(appended, live.length);
    // From the last to the first, so that the row moved into a gap has already been written.
    for (let place = live.length - 1; place >= 0; place--) {
      const finished = live[place];
      if (!finished?.row.write(logits.subarray(place * V, (place + 1) * V), this.chooser)) continue;
      this.keep(finished, place);
      const last = live.pop();
      if (last && place < live.length) {
        live[place] = last;
        cache.move(live.length, place);
      }
    }
  }

  /** Stores what was computed of a reply: all of it but its last token. */
  private keep({ row, prompt }: LiveRow, place: number): void {
    this.store.extend(prompt, row.sequence.tokens.slice(0, -1), (first) =>
      this.cache.read(place, prompt.length + first),
    );
  }
}

/** Milliseconds that `work` takes. */
async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function countTokens(rows: readonly SampleRow[]): TokenCounts {
  const counts: TokenCounts = { prompt: 0, prefilled: 0, reused: 0, sampled: 0 };
  for (const { request, sequence } of rows) {
    counts.prompt += request.prompt.length;
    counts.prefilled += sequence.prefilledTokens;
    counts.sampled += sequence.tokens.length;
  }
  counts.reused = counts.prompt - counts.prefilled;
  return counts;
}
