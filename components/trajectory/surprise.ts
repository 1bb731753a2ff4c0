/** Mean surprise of the sampled tokens in nats; null where there are none. */
export function meanSurprise(logprobs: readonly (number | null)[]): number | null {
  const sampled = logprobs.filter((logprob) => logprob !== null);
  if (sampled.length === 0) return null;
  return sampled.reduce((sum, logprob) => sum - logprob, 0) / sampled.length;
}
