import { z } from 'zod';
import { aggregateLoss, tokenWeights } from '@/rl/learning/aggregation';
import { ppoLoss } from '../formulas/policy-losses';
import { sumOf } from '@/rl/learning/moments';
import { Double, product, Vector } from '../tensors';
import { vectorFunction } from '../vector-function';

const Sequence = z.object({
  prompt_len: z.int().min(1),
  advantage: Double,
  /** Of the completion. */
  old_logprobs: Vector,
  /** Of all targets: the prompt's but the first, then the completion's. */
  current_logprobs: Vector,
});

export const LAB_PPO_LOSS = vectorFunction(
  'agenticrllab_dapo_ppo_loss',
  {
    sequences: z.array(Sequence),
    clip_low: Double,
    clip_high: Double,
    reduction: z.enum(['sample', 'token']),
  },
  ({ sequences, clip_low: low, clip_high: high, reduction }) => {
    const completions = sequences.map(({ prompt_len, advantage, old_logprobs, current_logprobs }) =>
      old_logprobs.map((oldLogprob, t) => {
        const logprob = current_logprobs[prompt_len - 1 + t] ?? NaN;
        return { advantage, ...ppoLoss({ logprob, oldLogprob, advantage }, { low, high }) };
      }),
    );
    const weights = tokenWeights(
      completions.map((tokens) => tokens.map(() => 1)),
      reduction === 'sample' ? 'seq-mean-token-mean' : 'token-mean',
    );
    const loss = aggregateLoss(
      completions.map((tokens) => tokens.map((token) => token.loss)),
      weights,
    );
    const gradients = product(
      weights,
      completions.map((tokens) => tokens.map(({ gradient }) => gradient)),
    );
    const all = completions.flat();
    const count = (holds: (token: (typeof all)[number]) => boolean) => all.filter(holds).length;
    return {
      loss,
      metrics: {
        'ppo/loss': loss,
        'ppo/ratio_mean': sumOf(all.map(({ ratio }) => ratio)) / all.length,
        'ppo/clip_fraction': count(({ isClipped }) => isClipped) / all.length,
        'ppo/lower_clip_fraction': count(({ ratio, advantage }) => ratio < low && advantage < 0) / all.length,
        'ppo/upper_clip_fraction':
          count(({ ratio, advantage }) => ratio > high && advantage > 0) / all.length,
        'ppo/train_tokens': all.length,
        'ppo/gradient_active_tokens': count(({ isClipped, advantage }) => advantage !== 0 && !isClipped),
        'ppo/sequences': sequences.length,
        'ppo/clip_low': low,
        'ppo/clip_high': high,
      },
      grad_current_logprobs: sequences.map(({ prompt_len }, i) => [
        ...new Array<number>(prompt_len - 1).fill(0),
        ...(gradients[i] ?? []),
      ]),
    };
  },
);
