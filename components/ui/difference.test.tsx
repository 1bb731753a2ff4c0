import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Difference } from './difference';

const textOf = (...[a, b]: [Parameters<typeof Difference>[0]['a'], Parameters<typeof Difference>[0]['b']]) =>
  render(<Difference a={a} b={b} />).container.textContent;

describe('a difference of success rates', () => {
  it('carries its interval, and no verdict where the interval leaves 0 out', () => {
    expect(textOf({ successes: 112, n: 120 }, { successes: 81, n: 120 })).toMatch(
      /^\+25\.8 pp \[\d+\.\d, \d+\.\d\]$/,
    );
  });

  it('is not distinguishable where the interval holds 0', () => {
    expect(textOf({ successes: 79, n: 134 }, { successes: 71, n: 134 })).toBe(
      '+6.0 pp [−5.8, 17.6]not distinguishable, unpaired (could see >= 17.1 pp)',
    );
  });

  it('is not drawn from fewer than 30 on either side', () => {
    expect(textOf({ successes: 3, n: 4 }, { successes: 90, n: 120 })).toBe('n = 4, not compared');
    expect(textOf({ successes: 90, n: 120 }, { successes: 3, n: 29 })).toBe('n = 29, not compared');
  });

  it('is n/a where a side was not measured', () => {
    expect(textOf(null, { successes: 1, n: 40 })).toBe('n/a');
    expect(textOf({ successes: 0, n: 0 }, { successes: 1, n: 40 })).toBe('n/a');
  });
});
