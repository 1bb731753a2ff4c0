import { describe, expect, it } from 'vitest';
import type { TokenPrices } from '@/contract/cost';
import { usageMetrics } from './cost';

const counts = { prefilled: 2_000_000, reused: 6_000_000, sampled: 500_000 };
const prices: TokenPrices = {
  currency: 'USD',
  prefillPerMillion: 0.5,
  samplePerMillion: 2,
  trainPerMillion: 1,
};

describe('what a step used', () => {
  it('is its tokens by kind, and their cost where prices are set', () => {
    const tokens = {
      'tokens/prefilled': 2_000_000,
      'tokens/reused': 6_000_000,
      'tokens/sampled': 500_000,
      'tokens/trained': 1_500_000,
    };
    expect(usageMetrics('training', counts, 1_500_000, null)).toEqual(tokens);
    expect(usageMetrics('training', counts, 1_500_000, prices)).toEqual({
      ...tokens,
      'cost/prefill': 1,
      'cost/sample': 1,
      'cost/train': 1.5,
      'cost/total': 3.5,
      'cost/reuse_saved': 3,
    });
  });

  it('includes reused tokens in the cost where they have a price', () => {
    const metrics = usageMetrics('training', counts, 0, { ...prices, reusedPerMillion: 0.25 });
    expect(metrics).toMatchObject({ 'cost/reused': 1.5, 'cost/total': 3.5, 'cost/reuse_saved': 1.5 });
  });

  it('by an evaluation or a probe bears its name, and has one cost', () => {
    expect(usageMetrics('probe', counts, 0, prices)).toEqual({
      'tokens/probe/prefilled': 2_000_000,
      'tokens/probe/reused': 6_000_000,
      'tokens/probe/sampled': 500_000,
      'cost/probe': 2,
    });
  });

  it('leaves out what the engine does not say, and counts a whole prompt as prefilled then', () => {
    const silent = usageMetrics('training', { ...counts, reused: NaN }, 0, prices);
    expect(Object.keys(silent)).toEqual([
      'tokens/prefilled',
      'tokens/sampled',
      'tokens/trained',
      'cost/prefill',
      'cost/sample',
      'cost/train',
      'cost/total',
    ]);
    expect(silent['cost/total']).toBe(2);
  });
});
