import { describe, expect, it } from 'vitest';
import { formatAmount, formatDecimals, formatDifference, formatSigned } from './format';

describe('figures of a column', () => {
  it('have the same decimals in every row, and a true minus', () => {
    expect([0.9703125, 0.97, 0, -0.0317, 2].map((value) => formatDecimals(value, 3))).toEqual([
      '0.970',
      '0.970',
      '0.000',
      '−0.032',
      '2.000',
    ]);
  });

  it('have no sign where they round to zero', () => {
    expect(formatDecimals(-0.0004, 3)).toBe('0.000');
    expect([0.004, -0.004, 0.005, -0.006].map((value) => formatSigned(value, 2))).toEqual([
      '0.00',
      '0.00',
      '+0.01',
      '−0.01',
    ]);
  });

  it('name what is missing and what is no number', () => {
    expect(formatDecimals(null, 3)).toBe('n/a');
    expect(formatSigned(undefined, 3)).toBe('n/a');
    expect(formatDecimals(Number.NaN, 3)).toBe('NaN');
    expect(formatSigned(-Infinity, 1)).toBe('-Infinity');
  });
});

describe('a difference', () => {
  it('carries its sign, its unit and its interval', () => {
    expect(formatDifference({ difference: 0.064, low: -0.021, high: 0.147 })).toBe('+6.4 pp [−2.1, 14.7]');
    expect(formatDifference({ difference: -0.1667, low: -0.3, high: -0.0001 })).toBe('−16.7 pp [−30.0, 0.0]');
  });
});

describe('an amount', () => {
  it('has two decimals, below one two significant digits', () => {
    expect([1613.71, 12, 0, 0.5, 0.0042, 0.00996, -3.256].map(formatAmount)).toEqual([
      '1,613.71',
      '12.00',
      '0.00',
      '0.50',
      '0.0042',
      '0.0100',
      '−3.26',
    ]);
    expect([null, NaN].map(formatAmount)).toEqual(['n/a', 'NaN']);
  });
});
