import { z } from 'zod';

const perMillion = z.number().min(0).max(1e9);

/** What a provider charges for tokens. A run's cost is its tokens at these prices, and is shown with them. */
export const TokenPrices = z.strictObject({
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'expected three capital letters, such as USD')
    .describe('Three letters (ISO 4217), such as USD or CNY'),
  prefillPerMillion: perMillion.describe('Price of a million prompt tokens that are computed'),
  reusedPerMillion: perMillion
    .optional()
    .describe('Price of a million prompt tokens that are reused from a cache; empty = not charged'),
  samplePerMillion: perMillion.describe('Price of a million reply tokens'),
  trainPerMillion: perMillion.describe('Price of a million trained tokens'),
});
export type TokenPrices = z.infer<typeof TokenPrices>;

/** What tokens are used for, counted apart. */
export const TOKEN_PHASES = ['training', 'evaluation', 'probe'] as const;
export type TokenPhase = (typeof TOKEN_PHASES)[number];
export type ByTokenPhase<Figure> = Record<TokenPhase, Figure>;

/** Kinds of tokens that bills count apart: prompt tokens computed and reused, reply tokens, trained tokens. */
export const TOKEN_KINDS = ['prefilled', 'reused', 'sampled', 'trained'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** As bills name them. */
export const TOKEN_KIND_TITLES: Record<TokenKind, string> = {
  prefilled: 'Prefill',
  reused: 'Reused',
  sampled: 'Sample',
  trained: 'Train',
};

/** A figure for each kind of tokens; null where it is not known. */
export type ByTokenKind = Record<TokenKind, number | null>;

/** Tokens of all phases together; a kind that one of them does not know is not known. */
export function totalTokens(byPhase: ByTokenPhase<ByTokenKind>): ByTokenKind {
  const total = (kind: TokenKind) =>
    TOKEN_PHASES.map((phase) => byPhase[phase][kind]).reduce(
      (sum, count) => (sum === null || count === null ? null : sum + count),
      0,
    );
  return {
    prefilled: total('prefilled'),
    reused: total('reused'),
    sampled: total('sampled'),
    trained: total('trained'),
  };
}

/** Name of the series with the tokens of a step: `tokens/prefilled`, `tokens/probe/sampled`. */
export function tokenSeries(phase: TokenPhase, kind: TokenKind): string {
  return phase === 'training' ? `tokens/${kind}` : `tokens/${phase}/${kind}`;
}

/** Price of a million tokens of a kind. */
export function priceOf(kind: TokenKind, prices: TokenPrices): number {
  switch (kind) {
    case 'prefilled':
      return prices.prefillPerMillion;
    case 'reused':
      return prices.reusedPerMillion ?? 0;
    case 'sampled':
      return prices.samplePerMillion;
    case 'trained':
      return prices.trainPerMillion;
  }
}

/** Amounts in the currency of the prices; null where the tokens are not known. */
export interface TokenCost {
  byKind: ByTokenKind;
  total: number | null;
  /** What the reused tokens would have cost at the prefill price, less what they did cost. */
  reuseSaved: number | null;
}

/**
 * Tokens at their prices. Where reused tokens are not known the engine has counted whole prompts as prefilled, so the
 * total is known all the same; it is not where any other kind is unknown.
 */
export function costOf(tokens: ByTokenKind, prices: TokenPrices): TokenCost {
  const costAt = (count: number | null, price: number) => (count === null ? null : (count * price) / 1e6);
  const byKind: ByTokenKind = {
    prefilled: costAt(tokens.prefilled, priceOf('prefilled', prices)),
    reused: costAt(tokens.reused, priceOf('reused', prices)),
    sampled: costAt(tokens.sampled, priceOf('sampled', prices)),
    trained: costAt(tokens.trained, priceOf('trained', prices)),
  };
  const { prefilled, reused, sampled, trained } = byKind;
  const isKnown = prefilled !== null && sampled !== null && trained !== null;
  return {
    byKind,
    total: isKnown ? prefilled + (reused ?? 0) + sampled + trained : null,
    reuseSaved: costAt(tokens.reused, priceOf('prefilled', prices) - priceOf('reused', prices)),
  };
}
