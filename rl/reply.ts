import type {
  SampledSequence,
  SampleRequest,
  SamplingClient,
  SamplingParams,
  Tokenizer,
} from '@/contract/engine';
import { hashSeed } from './random';

/** A turn that waits for its reply. */
export interface PendingReply {
  prompt: number[];
  seed: number;
  /** Actions the environment offers. */
  availableActions: readonly string[];
  /** Where set, only one of these may be written, each with the id that ends it. */
  allowedReplies?: number[][];
}

/** Writes the replies of one batch on one lane; null for a prompt that is longer than the model's context. */
export type Responder = (
  pending: readonly PendingReply[],
  lane: number,
) => Promise<(SampledSequence | null)[]>;

/** One that knows the bounds of its prompts beforehand, and answers each. */
type SamplingResponder = (pending: readonly PendingReply[], lane: number) => Promise<SampledSequence[]>;

/**
 * The policy as it is: every token is free, but where a reply is to be one of a list. A prompt and its reply have at most
 * `maxSequenceTokens`.
 */
export function freeResponder(
  sampler: SamplingClient,
  params: SamplingParams,
  maxSequenceTokens = Infinity,
): SamplingResponder {
  return (pending, lane) =>
    sampler.sampleBatch(
      pending.map(({ prompt, seed, allowedReplies }): SampleRequest => {
        const maxTokens = Math.min(params.maxTokens, maxSequenceTokens - prompt.length);
        return { prompt, seed, params: { ...params, maxTokens, ...(allowedReplies && { allowedReplies }) } };
      }),
      lane,
    );
}

/**
 * The policy with its actions masked to the offered ones at decoding: it writes its thought freely up to
 * `marker`, then only ids that continue some offered action. What this reaches needs no learning.
 */
export function maskedResponder(
  sampler: SamplingClient,
  params: SamplingParams,
  tokenizer: Tokenizer,
  actionMarker: string,
): SamplingResponder {
  const marker = tokenizer.encode(actionMarker);
  const stop = marker[marker.length - 1];
  if (stop === undefined) throw new Error(`the tokenizer writes "${actionMarker}" with no token`);
  const end = params.stopTokens[0];
  if (end === undefined) throw new Error('masked decoding needs a stop token');
  /** The replies that name an offered action and fit; where none fits, the one that names no action. */
  const repliesFor = (actions: readonly string[]): number[][] => {
    const replies = actions.map((action) => [...tokenizer.encode(` ${action}`), end]);
    const fitting = replies.filter(({ length }) => length <= params.maxTokens);
    return fitting.length > 0 ? fitting : [[end]];
  };
  const free = freeResponder(sampler, params);
  return async (pending, lane) => {
    // A batch is of one kind of call, and what does not act is written from a list or freely.
    if (pending.every(({ allowedReplies }) => allowedReplies)) return free(pending, lane);
    const thoughts = await sampler.sampleBatch(
      pending.map(({ prompt, seed }) => ({
        prompt,
        seed,
        params: { ...params, stopTokens: [...params.stopTokens, stop] },
      })),
      lane,
    );
    const openings = thoughts.map(({ tokens }) => withMarker(tokens, marker, params.stopTokens));
    const actions = await sampler.sampleBatch(
      pending.map(({ prompt, seed, availableActions }, i) => ({
        prompt: [...prompt, ...(openings[i] ?? [])],
        seed: hashSeed(seed, 'action'),
        params: {
          ...params,
          allowedReplies: repliesFor(availableActions),
        },
      })),
      lane,
    );
    return actions.map((action, i) => {
      const opening = openings[i] ?? [];
      return {
        tokens: [...opening, ...action.tokens],
        logprobs: [...opening.map(() => NaN), ...action.logprobs],
        stopReason: action.stopReason,
      };
    });
  };
}

/** The thought, ended by the action marker whatever it ended with. */
function withMarker(tokens: number[], marker: number[], stopTokens: number[]): number[] {
  const last = tokens[tokens.length - 1];
  if (last === marker[marker.length - 1]) return tokens;
  const open = last !== undefined && stopTokens.includes(last) ? tokens.slice(0, -1) : tokens;
  return [...open, ...marker];
}
