import { describe, expect, it } from 'vitest';
import { aListedRun } from './fixtures';
import { runCostWords } from './run-cost';

const prices = { currency: 'USD', prefillPerMillion: 1, samplePerMillion: 10, trainPerMillion: 100 };
const tokens = { 'tokens/prefilled': 3e6, 'tokens/sampled': 2e5, 'tokens/trained': 1e4 };

describe('cost of a run in the list', () => {
  it('is its tokens at its prices, with their currency', () => {
    // 3 x 1 + 0.2 x 10 + 0.01 x 100
    expect(runCostWords(aListedRun({ prices, tokens }))).toBe('6.00 USD');
  });

  it('is not known without prices, or where tokens were not counted', () => {
    expect(runCostWords(aListedRun({ tokens }))).toBe('n/a');
    expect(runCostWords(aListedRun({ prices, tokens: { 'tokens/prefilled': 3e6 } }))).toBe('n/a');
  });

  it('is nothing of a run that has not begun', () => {
    expect(runCostWords(aListedRun({ prices, step: 0 }))).toBe('0.00 USD');
  });
});
