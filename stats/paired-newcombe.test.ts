import { describe, expect, it } from 'vitest';
import { newcombe } from './newcombe';
import { pairedNewcombe } from './paired-newcombe';

describe('pairedNewcombe', () => {
  it('gives the published interval of Cavo et al. 2012', () => {
    // The R package contingencytables: -0.0621 (95 % CI -0.1186 to -0.0046).
    const { difference, low, high } = pairedNewcombe({ both: 59, gained: 6, lost: 16, neither: 80 });
    expect(difference).toBeCloseTo(-0.0621, 4);
    expect(low).toBeCloseTo(-0.1186, 4);
    expect(high).toBeCloseTo(-0.0046, 4);
  });

  it('is the unpaired interval where outcomes agree no more often than by chance', () => {
    const independent = pairedNewcombe({ both: 20, gained: 20, lost: 30, neither: 30 });
    const unpaired = newcombe({ k: 40, n: 100 }, { k: 50, n: 100 });
    expect(independent.low).toBeCloseTo(unpaired.low, 14);
    expect(independent.high).toBeCloseTo(unpaired.high, 14);
  });

  it('is narrower than the unpaired one where outcomes agree, wider where they oppose', () => {
    const unpaired = newcombe({ k: 78, n: 140 }, { k: 74, n: 140 });
    const agreeing = pairedNewcombe({ both: 66, gained: 12, lost: 8, neither: 54 });
    const opposed = pairedNewcombe({ both: 12, gained: 66, lost: 62, neither: 0 });
    expect(agreeing.high - agreeing.low).toBeLessThan(unpaired.high - unpaired.low);
    expect(opposed.high - opposed.low).toBeGreaterThan(unpaired.high - unpaired.low);
  });

  it('mirrors when the sides change places, holds the difference and stays within -1 and 1', () => {
    for (let both = 0; both <= 4; both++)
      for (let gained = 0; gained <= 4; gained++)
        for (let lost = 0; lost <= 4; lost++) {
          const there = pairedNewcombe({ both, gained, lost, neither: 3 });
          const back = pairedNewcombe({ both, gained: lost, lost: gained, neither: 3 });
          expect(there.low).toBeCloseTo(-back.high, 14);
          expect(there.low).toBeGreaterThanOrEqual(-1);
          expect(there.high).toBeLessThanOrEqual(1);
          expect(there.low).toBeLessThanOrEqual(there.difference);
          expect(there.high).toBeGreaterThanOrEqual(there.difference);
        }
  });

  it('has a width where no task differs', () => {
    const { difference, low, high } = pairedNewcombe({ both: 50, gained: 0, lost: 0, neither: 0 });
    expect(difference).toBe(0);
    // Wilson's lower bound of n/n lies z² / (n + z²) below 1.
    expect(low).toBeCloseTo(-0.07135, 5);
    expect(high).toBeCloseTo(0.07135, 5);
  });

  it('refuses to compare nothing', () => {
    expect(() => pairedNewcombe({ both: 0, gained: 0, lost: 0, neither: 0 })).toThrow('no task was played');
  });
});
