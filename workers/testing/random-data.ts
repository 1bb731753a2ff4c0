/** Seeded data in the shape of a GRPO batch, for tests of the training graph. */
import type { Datum } from '@/contract/engine';
import type { Random } from '@/rl/random';

export interface RandomDataOptions {
  vocabularySize: number;
  prompts: number;
  /** Replies to each prompt. */
  replies: number;
  promptLength: number;
  replyLength: number;
  /** Tokens that all prompts begin with, default 0. */
  sharedLength?: number;
}

/** Replies to a few prompts: tokens uniform, advantages in [-1, 1), log-probabilities in [-3.5, -0.5), weights in [0, 1). */
export function randomData(random: Random, options: RandomDataOptions): Datum[] {
  const { vocabularySize, promptLength, replyLength, sharedLength = 0 } = options;
  const tokens = (count: number) => Array.from({ length: count }, () => random.integer(vocabularySize));
  const shared = tokens(sharedLength);
  return Array.from({ length: options.prompts }, () => [
    ...shared,
    ...tokens(promptLength - sharedLength),
  ]).flatMap((prompt) =>
    Array.from({ length: options.replies }, () => {
      const sequence = [...prompt, ...tokens(replyLength)];
      const advantage = random.next() * 2 - 1;
      const onReply = (draw: () => number) =>
        sequence.slice(1).map((_, position) => (position >= promptLength - 1 ? draw() : 0));
      return {
        modelInput: sequence.slice(0, -1),
        lossFnInputs: {
          targetTokens: sequence.slice(1),
          weights: onReply(() => random.next()),
          logprobs: onReply(() => -0.5 - 3 * random.next()),
          advantages: onReply(() => advantage),
          referenceLogprobs: onReply(() => -0.5 - 3 * random.next()),
        },
      };
    }),
  );
}
