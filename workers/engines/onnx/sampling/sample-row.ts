import type { SampledSequence, SampleRequest } from '@/contract/engine';
import { createRandom, type Random } from '@/rl/random';
import type { TokenChooser } from './choose-token';
import { advance, buildReplyTrie, type TriePosition } from './reply-trie';

/** One request while its reply is being written. Its draws come from its own generator, so no other request sways it. */
export class SampleRow {
  readonly sequence: SampledSequence & { prefilledTokens: number } = {
    tokens: [],
    logprobs: [],
    stopReason: 'length',
    prefilledTokens: 0,
  };
  private readonly random: Random;
  private position: TriePosition | null;

  constructor(readonly request: SampleRequest) {
    const { allowedReplies, maxTokens, stopTokens } = request.params;
    this.random = createRandom(request.seed);
    this.position = allowedReplies ? buildReplyTrie(allowedReplies, maxTokens, stopTokens).root : null;
  }

  /** Writes the next token from its logits [V]; returns whether the reply is complete. */
  write(logits: Float32Array, chooser: TokenChooser): boolean {
    const { sequence, request } = this;
    const { maxTokens, stopTokens } = request.params;
    const { token, logprob, entropy } = chooser.choose(
      logits,
      request.params,
      this.random,
      this.position?.continuations,
    );
    sequence.tokens.push(token);
    sequence.logprobs.push(logprob);
    if (entropy !== undefined) (sequence.entropies ??= []).push(entropy);
    if (this.position) this.position = advance(this.position, token);
    const isComplete = stopTokens.includes(token) || this.position?.continuations.length === 0;
    if (isComplete) sequence.stopReason = 'stop';
    return isComplete || sequence.tokens.length >= maxTokens;
  }

  get lastToken(): number {
    return this.sequence.tokens.at(-1) ?? 0;
  }
}
