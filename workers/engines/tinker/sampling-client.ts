import type {
  SampledSequence,
  SampleRequest,
  SamplingClient,
  SamplingParams,
  SamplingTimes,
  TokenCounts,
} from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { Reply, TinkerConnection } from './connection';
import { awaitResult, type Submitted } from './future';
import { Gate } from './gate';
import type { Codec } from './model-passes';
import type { TinkerProfile } from './profile';
import { decodeSampleAnswer } from './protobuf/sample';
import { SampleAnswer, SubmittedAnswer, type WireSampleRequest, type WireSamplingParams } from './wire';

/** Limits of the hosted service's own client. */
const MAX_DISPATCHES = 400;
const MAX_DISPATCHES_OVERRUN = 10;
const MAX_DISPATCHED_BYTES = 10 * 1024 * 1024;
/** A poll holds a connection for as long as the server likes. */
const MAX_POLLS = 128;
/** Digits and comma of a token in JSON, about. */
const TOKEN_BYTES = 7;

/** What all sampling clients of an engine share. */
export interface SamplingParts {
  connection: TinkerConnection;
  profile: TinkerProfile;
  codec: Codec;
  lanes: number;
  dispatches: Gate;
  polls: Gate;
}

/** Bounds of what is under way at once, for all sampling clients of a connection together. */
export function samplingGates(connection: TinkerConnection): Pick<SamplingParts, 'dispatches' | 'polls'> {
  return {
    dispatches: new Gate(
      () => (connection.isOverrun ? MAX_DISPATCHES_OVERRUN : MAX_DISPATCHES),
      MAX_DISPATCHED_BYTES,
    ),
    polls: new Gate(() => MAX_POLLS),
  };
}

/** Samples in a sampling session of a server: an immutable policy version there. */
export class TinkerSamplingClient implements SamplingClient {
  readonly lanes: number;
  private readonly tokenCounts: TokenCounts = { prompt: 0, prefilled: 0, reused: 0, sampled: 0 };
  private readonly samplingTimes: SamplingTimes = { prefillS: 0, decodeS: 0 };
  private samplingSession: Promise<string> | null = null;
  private requests = 0;
  private batches = 0;

  /** `openSession` is called once, when the first request needs it, and again where it failed. */
  constructor(
    private readonly parts: SamplingParts,
    private readonly openSession: () => Promise<string>,
  ) {
    this.lanes = parts.lanes;
  }

  async sample(
    prompt: number[],
    n: number,
    params: SamplingParams,
    seed: number,
  ): Promise<SampledSequence[]> {
    if (!Number.isInteger(n) || n < 1) throw new AppError('invalid_input', `n is ${n}, expected at least 1`);
    return this.counted(n * prompt.length, async () => {
      const answer = await this.ask({ ...this.wireRequest({ prompt, params, seed }), num_samples: n });
      return { answers: [answer], sequences: this.sequencesOf(answer, prompt, n) };
    });
  }

  async sampleBatch(requests: SampleRequest[], lane: number): Promise<SampledSequence[]> {
    const batch = { id: `batch-${this.batches++}`, size: requests.length, lane };
    const promptTokens = requests.reduce((sum, { prompt }) => sum + prompt.length, 0);
    return this.counted(promptTokens, async () => {
      const answers = await settleAll(
        requests.map((request, index) =>
          this.ask({
            ...this.wireRequest(request),
            ...(this.parts.profile.batchesSamples && { batch: { ...batch, index } }),
          }),
        ),
      );
      const sequences = answers.flatMap((answer, index) =>
        this.sequencesOf(answer, requests[index]?.prompt ?? [], 1),
      );
      return { answers, sequences };
    });
  }

  async computeLogprobs(tokens: number[]): Promise<number[]> {
    if (tokens.length < 2) return tokens.map(() => NaN);
    const params: SamplingParams = {
      maxTokens: this.parts.profile.scoringTokens,
      temperature: 1,
      stopTokens: [],
    };
    const answer = await this.ask({
      ...this.wireRequest({ prompt: tokens, params, seed: 0 }),
      prompt_logprobs: true,
    });
    this.tokenCounts.prompt += tokens.length;
    this.tokenCounts.prefilled += tokens.length;
    const logprobs = answer.prompt_logprobs;
    // Some servers leave out the first, which is undefined.
    if (logprobs?.length === tokens.length - 1) return [NaN, ...logprobs.map((value) => value ?? NaN)];
    if (logprobs?.length === tokens.length) return logprobs.map((value) => value ?? NaN);
    throw this.misfit(
      `gave ${logprobs ? logprobs.length : 'no'} prompt_logprobs for ${tokens.length} tokens`,
    );
  }

  counts(): TokenCounts {
    return { ...this.tokenCounts };
  }

  times(): SamplingTimes {
    return { ...this.samplingTimes };
  }

  private wireRequest({
    prompt,
    seed,
    params,
  }: SampleRequest): Omit<WireSampleRequest, 'topk_prompt_logprobs'> {
    return {
      num_samples: 1,
      prompt: { chunks: [{ type: 'encoded_text', tokens: prompt }] },
      sampling_params: toWireParams(params, seed, this.parts.profile),
    };
  }

  /** Submits and waits. */
  private async ask(request: Omit<WireSampleRequest, 'topk_prompt_logprobs'>): Promise<SampleAnswer> {
    const { connection, dispatches, polls, codec } = this.parts;
    this.samplingSession ??= this.openSession();
    const sessionId = await this.samplingSession.catch((error: unknown) => {
      this.samplingSession = null;
      throw error;
    });
    const body = {
      ...request,
      type: 'sample',
      sampling_session_id: sessionId,
      seq_id: this.requests++,
    };
    const promptTokens = request.prompt.chunks.reduce((sum, { tokens }) => sum + tokens.length, 0);
    const submit = async (): Promise<string> => {
      const sent = () => connection.request(SubmittedAnswer, { route: 'asample', body });
      return (await dispatches.pass(TOKEN_BYTES * promptTokens, sent)).request_id;
    };
    const submitted: Submitted = {
      route: 'asample',
      requestId: await submit(),
      resubmit: submit,
      isRepeatable: request.batch === undefined,
      ...(codec === 'protobuf' && { headers: { Accept: 'application/x-protobuf' } }),
    };
    return this.read(submitted, await polls.pass(0, () => awaitResult(connection, submitted)));
  }

  private read(submitted: Submitted, reply: Reply): SampleAnswer {
    return reply.headers.get('content-type')?.startsWith('application/x-protobuf')
      ? decodeSampleAnswer(reply.bytes)
      : this.parts.connection.parse(SampleAnswer, submitted, reply);
  }

  /** Counts what sampling cost. A server that does not say how its time was spent is given all of the wait as decoding. */
  private async counted(
    promptTokens: number,
    sample: () => Promise<{ answers: readonly SampleAnswer[]; sequences: SampledSequence[] }>,
  ): Promise<SampledSequence[]> {
    const { connection, profile, codec } = this.parts;
    const { tokenCounts, samplingTimes } = this;
    const startedAt = connection.timing.now();
    const { answers, sequences } = await sample();
    const prefilled = sequences.reduce((sum, { prefilledTokens = NaN }) => sum + prefilledTokens, 0);
    tokenCounts.prompt += promptTokens;
    tokenCounts.prefilled += Number.isNaN(prefilled) ? promptTokens : prefilled;
    tokenCounts.reused += promptTokens - prefilled;
    tokenCounts.sampled += sequences.reduce((sum, { tokens }) => sum + tokens.length, 0);
    // The protobuf form has no place for times.
    if (profile.id === 'stepscope' && codec === 'json') {
      for (const { usage } of answers) {
        samplingTimes.prefillS += usage?.prefill_s ?? 0;
        samplingTimes.decodeS += usage?.decode_s ?? 0;
      }
      return sequences;
    }
    samplingTimes.decodeS += (connection.timing.now() - startedAt) / 1000;
    return sequences;
  }

  private sequencesOf(answer: SampleAnswer, prompt: readonly number[], expected: number): SampledSequence[] {
    const { sequences, prompt_cache_hit_tokens: hits } = answer;
    if (sequences.length !== expected) throw this.misfit(`gave ${sequences.length} samples of ${expected}`);
    const isSaid = hits !== null && hits !== undefined;
    return sequences.map(({ tokens, logprobs, stop_reason: stopReason }, index) => {
      if (logprobs?.length !== tokens.length)
        throw this.misfit(
          `gave ${logprobs ? logprobs.length : 'no'} log-probabilities of ${tokens.length} tokens`,
        );
      const prefilledTokens = index === 0 ? Math.max(0, prompt.length - (hits ?? 0)) : 0;
      return {
        tokens,
        logprobs: logprobs.map((value) => value ?? NaN),
        stopReason,
        ...(isSaid && { prefilledTokens }),
      };
    });
  }

  private misfit(what: string): AppError {
    const { connection } = this.parts;
    return new AppError('invalid_input', `${connection.placeOf({ route: 'asample' })} ${what}`);
  }
}

function toWireParams(params: SamplingParams, seed: number, profile: TinkerProfile): WireSamplingParams {
  const { maxTokens, temperature, topK = 0, topP = 1, stopTokens, allowedReplies } = params;
  if (allowedReplies && !profile.masksReplies)
    throw new AppError(
      'invalid_input',
      `a ${profile.id} server cannot mask replies to a list: set evaluation.controls to false`,
    );
  if (!Number.isSafeInteger(seed))
    throw new AppError('invalid_input', `seed is ${seed}, expected an integer`);
  return {
    max_tokens: maxTokens,
    seed: profile.seedBits === 31 ? seed & 0x7fffffff : seed,
    stop: stopTokens,
    temperature,
    top_k: topK > 0 ? topK : -1,
    top_p: topP,
    ...(allowedReplies && { allowed_replies: allowedReplies }),
  };
}

/** All results, or the first failure once every call has ended: none goes on unheard. */
async function settleAll<Result>(calls: readonly Promise<Result>[]): Promise<Result[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
