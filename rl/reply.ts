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
}

/** Writes the replies of one batch on one lane. */
export type Responder = (pending: readonly PendingReply[], lane: number) => Promise<SampledSequence[]>;

/** The policy as it is: every token is free. */
export function freeResponder(sampler: SamplingClient, params: SamplingParams): Responder {
  return (pending, lane) =>
    sampler.sampleBatch(
      pending.map(({ prompt, seed }): SampleRequest => ({ prompt, seed, params })),
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
): Responder {
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
  return async (pending, lane) => {
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
