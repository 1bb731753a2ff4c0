import { costOf, tokenSeries, type ByTokenKind, type TokenPhase, type TokenPrices } from '@/contract/cost';
import type { TokenCounts } from '@/contract/engine';

/**
 * A phase's tokens at a step and, where prices are set, what they cost: of training by kind, with the total and what
 * reuse saved; of an evaluation or a probe, which trains no tokens, the total. What the engine does not say is left out.
 */
export function usageMetrics(
  phase: TokenPhase,
  counts: Omit<TokenCounts, 'prompt'>,
  trained: number,
  prices: TokenPrices | null,
): Record<string, number> {
  const tokens: ByTokenKind = {
    prefilled: knownOrNull(counts.prefilled),
    reused: knownOrNull(counts.reused),
    sampled: knownOrNull(counts.sampled),
    trained: knownOrNull(trained),
  };
  return known({
    [tokenSeries(phase, 'prefilled')]: tokens.prefilled,
    [tokenSeries(phase, 'reused')]: tokens.reused,
    [tokenSeries(phase, 'sampled')]: tokens.sampled,
    ...(phase === 'training' && { [tokenSeries(phase, 'trained')]: tokens.trained }),
    ...(prices && costMetrics(phase, tokens, prices)),
  });
}

/** What another model that a run asks says that it used, at its prices where it has some. What it does not say is left out. */
export function askedUsageMetrics(
  who: 'judge' | 'teacher',
  counts: Omit<TokenCounts, 'prompt'>,
  prices: Omit<TokenPrices, 'trainPerMillion'> | null,
): Record<string, number> {
  const tokens: ByTokenKind = {
    prefilled: knownOrNull(counts.prefilled),
    reused: knownOrNull(counts.reused),
    sampled: knownOrNull(counts.sampled),
    trained: 0,
  };
  return known({
    [`tokens/${who}/prefilled`]: tokens.prefilled,
    [`tokens/${who}/reused`]: tokens.reused,
    [`tokens/${who}/sampled`]: tokens.sampled,
    [`cost/${who}`]: prices && costOf(tokens, { ...prices, trainPerMillion: 0 }).total,
  });
}

function costMetrics(
  phase: TokenPhase,
  tokens: ByTokenKind,
  prices: TokenPrices,
): Record<string, number | null> {
  const { byKind, total, reuseSaved } = costOf(tokens, prices);
  if (phase !== 'training') return { [`cost/${phase}`]: total };
  return {
    'cost/prefill': byKind.prefilled,
    ...(prices.reusedPerMillion !== undefined && { 'cost/reused': byKind.reused }),
    'cost/sample': byKind.sampled,
    'cost/train': byKind.trained,
    'cost/total': total,
    'cost/reuse_saved': reuseSaved,
  };
}

function knownOrNull(count: number): number | null {
  return Number.isNaN(count) ? null : count;
}

function known(metrics: Record<string, number | null>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
