import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { SampledSequence, SampleRequest, SamplingTimes, TokenCounts } from '@/contract/engine';
import type { ModelConfig } from '../model/parameters';
import { floatOutput, openSession, parameterFeeds } from '../session';
import { TokenChooser } from './choose-token';
import { KeyValueCache } from './key-value-cache';
import { Prefill, type PrefilledPrompt, sequenceFeeds } from './prefill';
import { groupByPrompt, prefillBatches, type PromptGroup } from './prompt-groups';
import { SampleRow } from './sample-row';
import { scoringGraph } from './sequence-graph';
import { stepGraph } from './step-graph';

/** Tokens of a prefill call, padding included: enough to keep the multiplications busy, few enough to pad little. */
const PREFILL_TOKENS = 512;
/** Rows that decode together at first; the batch shrinks as replies end. */
const DECODE_ROWS = 32;

export interface SampledBatch {
  /** In the order of the requests. */
  sequences: SampledSequence[];
  counts: TokenCounts;
  times: SamplingTimes;
}

/** A row whose reply goes on, with the prompt it continues. */
interface LiveRow {
  row: SampleRow;
  prompt: PrefilledPrompt;
}

interface StepSession {
  session: InferenceSession;
  logits: string;
  appended: string;
}

/**
 * Samples on one thread. `run` of onnxruntime-node blocks the event loop, so a sampler belongs in a child process.
 * How a batch is computed depends on its requests alone.
 */
export class Sampler {
  private scoring: Promise<{ session: InferenceSession; logprobs: string }> | null = null;
  private readonly chooser: TokenChooser;

  private constructor(
    private readonly config: ModelConfig,
    private readonly parameters: Record<string, Tensor>,
    private readonly prefill: Prefill,
    private readonly step: StepSession,
  ) {
    this.chooser = new TokenChooser(config.vocabularySize);
  }

  /** `parametersP` is the flat vector of `parameterSpecs`, read at every call; it may change between calls. */
  static async open(config: ModelConfig, parametersP: Float32Array): Promise<Sampler> {
    const { model, logits, appended } = stepGraph(config);
    const step = { session: await openSession(model), logits, appended };
    return new Sampler(config, parameterFeeds(config, parametersP), await Prefill.open(config), step);
  }

  /** One reply a request. Equal prompts are computed once; ids and lengths are the caller's to check. */
  async sampleBatch(requests: readonly SampleRequest[]): Promise<SampledBatch> {
    const rows = requests.map((request) => new SampleRow(request));
    const groups = groupByPrompt(rows);
    for (const group of groups)
      group.rows.forEach(({ sequence }, index) => {
        sequence.prefilledTokens = index === 0 ? group.prompt.length : 0;
      });
    const waiting = groups.flatMap((group) => group.rows.map((row) => ({ row, group })));
    const times = { prefillS: 0, decodeS: 0 };
    let prefilled = 0;
    for (let first = 0; first < waiting.length; first += DECODE_ROWS) {
      const chunk = waiting.slice(first, first + DECODE_ROWS);
      const started = performance.now();
      prefilled += await this.computePrompts(chunk.map(({ group }) => group));
      const computed = performance.now();
      const live = this.writeFirstTokens(chunk);
      // The last group's other rows may begin the next chunk.
      for (const { group } of chunk) if (group !== chunk.at(-1)?.group) group.computed = null;
      await this.decode(live);
      times.prefillS += (computed - started) / 1000;
      times.decodeS += (performance.now() - computed) / 1000;
    }
    const prompt = requests.reduce((sum, request) => sum + request.prompt.length, 0);
    const sampled = rows.reduce((sum, row) => sum + row.sequence.tokens.length, 0);
    const counts = { prompt, prefilled, reused: prompt - prefilled, sampled };
    return { sequences: rows.map((row) => row.sequence), counts, times };
  }

  /** Computes what is not computed yet; returns how many prompt tokens that took. */
  private async computePrompts(groups: readonly PromptGroup[]): Promise<number> {
    const missing = [...new Set(groups)].filter((group) => group.computed === null);
    for (const batch of prefillBatches(missing, PREFILL_TOKENS)) {
      const prompts = await this.prefill.run(
        this.parameters,
        batch.map((group) => group.prompt),
      );
      batch.forEach((group, index) => {
        group.computed = prompts[index] ?? null;
      });
    }
    return missing.reduce((sum, group) => sum + group.prompt.length, 0);
  }

  /** Writes every row's first token; returns the rows that go on, with their prompts. */
  private writeFirstTokens(chunk: readonly { row: SampleRow; group: PromptGroup }[]): LiveRow[] {
    return chunk.flatMap(({ row, group }) => {
      const prompt = group.computed;
      if (!prompt) throw new Error('a row starts before its prompt is computed');
      return row.write(prompt.logits, this.chooser) ? [] : [{ row, prompt }];
    });
  }

  private async decode(live: readonly LiveRow[]): Promise<void> {
    const lengths = live.map(({ row, prompt }) => prompt.cache.length + row.request.params.maxTokens);
    const cache = new KeyValueCache(this.config, live.length, Math.max(0, ...lengths));
    live.forEach(({ prompt }, index) => cache.load(index, prompt.cache));
    const rows = live.map(({ row }) => row);
    while (rows.length > 0) await this.writeTokens(rows, cache);
  }

  /** One step of every live row; finished rows leave `rows` and the last rows take their places. */
  private async writeTokens(rows: SampleRow[], cache: KeyValueCache): Promise<void> {
    const { session, logits: logitsName, appended } = this.step;
    const ids = new Tensor(
      'int32',
      Int32Array.from(rows, (row) => row.lastToken),
      [rows.length],
    );
    const outputs = await session.run({ ...this.parameters, ...cache.feeds(rows.length), ids });
    cache.append(floatOutput(outputs, appended), rows.length);
    const logits = floatOutput(outputs, logitsName);
    const V = this.config.vocabularySize;
    // From the last to the first, so that the row moved into a gap has already been written.
    for (let index = rows.length - 1; index >= 0; index--) {
      const isComplete = rows[index]?.write(logits.subarray(index * V, (index + 1) * V), this.chooser);
      if (!isComplete) continue;
      const last = rows.pop();
      if (last && index < rows.length) {
        rows[index] = last;
        cache.move(rows.length, index);
      }
    }
  }

  /** Log-probability at temperature 1 of each token given those before it; the first is NaN. */
  async computeLogprobs(tokens: readonly number[]): Promise<number[]> {
    if (tokens.length < 2) return tokens.map(() => NaN);
    this.scoring ??= (async () => {
      const { model, logprobs } = scoringGraph(this.config);
      return { session: await openSession(model), logprobs };
    })();
    const { session, logprobs } = await this.scoring;
    const targets = Int32Array.from(tokens.slice(1));
    const outputs = await session.run({
      ...this.parameters,
      ...sequenceFeeds([tokens.slice(0, -1)]),
      targets: new Tensor('int32', targets, [targets.length, 1]),
    });
    return [NaN, ...floatOutput(outputs, logprobs)];
  }
}
