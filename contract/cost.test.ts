import { describe, expect, it } from 'vitest';
import { toFieldIssues } from './parse';
import { costOf, TokenPrices, tokenSeries } from './cost';

const prices: TokenPrices = {
  currency: 'CNY',
  prefillPerMillion: 1.5,
  samplePerMillion: 4,
  trainPerMillion: 4.5,
};

describe('the cost of tokens', () => {
  it('is each kind at its price, to the cent', () => {
    // Tokens of the published ALFWorld bill; it states no prices, these are made up.
    const tokens = { prefilled: 843.51e6, reused: 0, sampled: 14.28e6, trained: 62.24e6 };
    const { byKind, total, reuseSaved } = costOf(tokens, prices);
    expect(byKind.prefilled).toBeCloseTo(1265.265, 6);
    expect(byKind.sampled).toBeCloseTo(57.12, 6);
    expect(byKind.trained).toBeCloseTo(280.08, 6);
    expect(total).toBeCloseTo(1602.465, 6);
    expect(reuseSaved).toBe(0);
  });

  it('says what reuse saved: the prefill price, less what reused tokens cost', () => {
    const tokens = { prefilled: 1e6, reused: 8e6, sampled: 0, trained: 0 };
    expect(costOf(tokens, prices)).toMatchObject({ total: 1.5, reuseSaved: 12 });
    const charged = costOf(tokens, { ...prices, reusedPerMillion: 0.25 });
    expect(charged.byKind.reused).toBe(2);
    expect(charged).toMatchObject({ total: 3.5, reuseSaved: 10 });
  });

  it('is known without the reused tokens, which then count as prefilled, and unknown without any other', () => {
    const tokens = { prefilled: 2e6, reused: null, sampled: 1e6, trained: 0 };
    expect(costOf(tokens, prices)).toEqual({
      byKind: { prefilled: 3, reused: null, sampled: 4, trained: 0 },
      total: 7,
      reuseSaved: null,
    });
    expect(costOf({ ...tokens, trained: null }, prices).total).toBeNull();
  });
});

describe('prices', () => {
  it('name what is wrong with them', () => {
    const parsed = TokenPrices.safeParse({ ...prices, currency: '¥', samplePerMillion: -1 });
    expect(parsed.success ? [] : toFieldIssues(parsed.error)).toMatchObject([
      { path: 'currency', message: expect.stringContaining('expected three capital letters') as string },
      { path: 'samplePerMillion', message: 'expected 0 or more, got -1' },
    ]);
  });
});

describe('series of tokens', () => {
  it('are those of training without a phase, the others with theirs', () => {
    expect(tokenSeries('training', 'prefilled')).toBe('tokens/prefilled');
    expect(tokenSeries('probe', 'sampled')).toBe('tokens/probe/sampled');
  });
});
