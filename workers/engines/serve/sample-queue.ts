import type { z } from 'zod';
import type { SampledSequence, SampleRequest, SamplingClient } from '@/contract/engine';
import type { SampleAnswer, SampleBatch, SamplingUsage } from '../tinker/wire';
import { Refusal } from './refusal';

type Batch = z.infer<typeof SampleBatch>;

/** Batches whose answers may still be asked for again. */
const BATCHES_KEPT = 64;

interface Waiting {
  request: SampleRequest;
  resolve(answer: SampleAnswer): void;
  reject(error: unknown): void;
}

interface OpenBatch {
  size: number;
  lane: number;
  /** By index. */
  members: Map<number, Waiting>;
  answers: Map<number, Promise<SampleAnswer>>;
}

/**
 * Requests of one policy on their way to the engine. Requests that name a batch wait for all of it and are computed as it
 * says; the others are computed with whatever else is waiting, so that a crowd of small requests shares its products.
 */
export class SampleQueue {
  private readonly batches = new Map<string, OpenBatch>();
  private waiting: Waiting[] = [];
  private isDraining = false;
  private told: z.infer<typeof SamplingUsage> = { prefill_s: 0, decode_s: 0 };

  constructor(private readonly client: SamplingClient) {}

  /** One sample, computed with whatever else waits. */
  alone(request: SampleRequest): Promise<SampleAnswer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      void this.drain();
    });
  }

  /** One sample of a batch. A member that comes twice, since its sender heard nothing, is one member. */
  together(batch: Batch, request: SampleRequest): Promise<SampleAnswer> {
    const open = this.openBatch(batch);
    const earlier = open.answers.get(batch.index);
    if (earlier) return earlier;
    const answer = new Promise<SampleAnswer>((resolve, reject) => {
      open.members.set(batch.index, { request, resolve, reject });
    });
    // Whoever asks for the result hears of a failure.
    answer.catch(() => undefined);
    open.answers.set(batch.index, answer);
    if (open.members.size === open.size) void this.compute(inOrder(open.members), open.lane);
    return answer;
  }

  /** Fails what still waits for the rest of its batch. */
  close(): void {
    for (const id of [...this.batches.keys()])
      this.forget(id, 'the sampling session ended before the batch was whole');
  }

  private openBatch({ id, size, lane }: Batch): OpenBatch {
    const known = this.batches.get(id);
    if (known && (known.size !== size || known.lane !== lane))
      throw new Refusal(
        409,
        `batch ${id} has size ${known.size} and lane ${known.lane}, got ${size} and ${lane}`,
      );
    const open = known ?? { size, lane, members: new Map(), answers: new Map() };
    this.batches.set(id, open);
    const [oldest] = this.batches.keys();
    if (this.batches.size > BATCHES_KEPT && oldest !== undefined)
      this.forget(oldest, `${BATCHES_KEPT} other batches were begun before batch ${oldest} was whole`);
    return open;
  }

  /** What still waits for the rest of the batch fails, for that never comes. */
  private forget(id: string, why: string): void {
    const batch = this.batches.get(id);
    this.batches.delete(id);
    if (!batch || batch.members.size === batch.size) return;
    for (const { reject } of batch.members.values()) reject(new Refusal(404, why));
  }

  private async drain(): Promise<void> {
    if (this.isDraining) return;
    this.isDraining = true;
    // What arrives within the same turn of the event loop goes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const { lanes } = this.client;
      const taken = this.waiting;
      this.waiting = [];
      const shares = Array.from({ length: lanes }, (_, lane) =>
        taken.filter((_member, i) => i % lanes === lane),
      );
      await Promise.all(
        shares.map((share, lane) => (share.length ? this.computeStrangers(share, lane) : null)),
      );
    }
    this.isDraining = false;
  }

  /** Computes requests that have nothing to do with each other; one that is refused spoils none of the others. */
  private async computeStrangers(members: readonly Waiting[], lane: number): Promise<void> {
    try {
      await this.answer(members, lane);
    } catch {
      for (const member of members) await this.compute([member], lane);
    }
  }

  /** Computes requests that belong together; a failure is every member's. */
  private async compute(members: readonly Waiting[], lane: number): Promise<void> {
    try {
      await this.answer(members, lane);
    } catch (error) {
      for (const { reject } of members) reject(error);
    }
  }

  private async answer(members: readonly Waiting[], lane: number): Promise<void> {
    const sequences = await this.client.sampleBatch(
      members.map(({ request }) => request),
      lane,
    );
    const usage = this.takeUsage();
    members.forEach(({ request, resolve }, index) => {
      const answered = sequences.slice(index, index + 1);
      resolve({ ...toSampleAnswer(request.prompt, answered), ...(index === 0 && { usage }) });
    });
  }

  /** What the policy has used since it was last told. */
  takeUsage(): z.infer<typeof SamplingUsage> {
    const { prefillS, decodeS } = this.client.times();
    const all = { prefill_s: prefillS, decode_s: decodeS };
    const { told } = this;
    this.told = all;
    return {
      prefill_s: all.prefill_s - told.prefill_s,
      decode_s: all.decode_s - told.decode_s,
    };
  }
}

/** Samples of one prompt. The first of them paid for what of the prompt was computed. */
export function toSampleAnswer(
  prompt: readonly number[],
  sequences: readonly SampledSequence[],
): SampleAnswer {
  const prefilled = sequences[0]?.prefilledTokens;
  return {
    sequences: sequences.map(({ tokens, logprobs, stopReason }) => ({
      stop_reason: stopReason,
      tokens,
      logprobs,
    })),
    ...(prefilled !== undefined && { prompt_cache_hit_tokens: prompt.length - prefilled }),
  };
}

function inOrder(members: ReadonlyMap<number, Waiting>): Waiting[] {
  return [...members].sort(([a], [b]) => a - b).map(([, member]) => member);
}
