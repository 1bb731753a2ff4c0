/** Lower bounds of the bins of surprise, in nats; below the first a token is not shaded. */
export const SURPRISE_BOUNDS = [0.05, 0.2, 0.5, 1, 1.6, 2.4] as const;

/**
 * Bin of a token by its surprise, the negative log-probability in nats: 0 (expected) to 6 (2.4 nats and more).
 * A token that was not sampled has no surprise and is not shaded.
 */
export function surpriseBin(logprob: number | null): number {
  return logprob === null ? 0 : SURPRISE_BOUNDS.filter((bound) => -logprob >= bound).length;
}

/** Mean surprise of the sampled tokens in nats; null where there are none. */
export function meanSurprise(logprobs: readonly (number | null)[]): number | null {
  const sampled = logprobs.filter((logprob) => logprob !== null);
  if (sampled.length === 0) return null;
  return sampled.reduce((sum, logprob) => sum - logprob, 0) / sampled.length;
}
