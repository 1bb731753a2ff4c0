import type { Datum, ForwardBackwardOutput } from '@/contract/engine';

export interface UpdateMetrics {
  /** Mean entropy in nats over reply tokens. */
  entropy: number;
  /** Mean k3 = exp(d) - 1 - d with d = sampler's log-probability - trainer's, the estimate of KL(sampler || trainer). */
  ppoKl: number;
  /** Mean log-probability in nats that the sampler gave the reply tokens. */
  samplerLogprob: number;
  /** Share of reply tokens whose ratio is outside the clip. */
  clipFraction: number;
}

/** Means over the reply tokens (weight > 0) of one update; NaN where there is none. */
export function updateMetrics(
  data: readonly Datum[],
  { logprobs, entropies }: ForwardBackwardOutput,
  clip: { low: number; high: number },
): UpdateMetrics {
  let tokens = 0;
  let entropy = 0;
  let ppoKl = 0;
  let samplerLogprob = 0;
  let clipped = 0;
  data.forEach((datum, i) => {
    const { weights = [], logprobs: sampled = [] } = datum.lossFnInputs;
    weights.forEach((weight, t) => {
      if (weight === 0) return;
      const logprob = sampled[t] ?? NaN;
      const difference = (logprobs[i]?.[t] ?? NaN) - logprob;
      const ratio = Math.exp(difference);
      tokens++;
      samplerLogprob += logprob;
      entropy += entropies?.[i]?.[t] ?? NaN;
      ppoKl += ratio - 1 - difference;
      if (ratio < clip.low || ratio > clip.high) clipped++;
    });
  });
  return {
    entropy: entropy / tokens,
    ppoKl: ppoKl / tokens,
    samplerLogprob: samplerLogprob / tokens,
    clipFraction: clipped / tokens,
  };
}
