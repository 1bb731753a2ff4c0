import { describe, expect, it } from 'vitest';
import { comparisonVerdict, verdictWords, type ComparisonEvidence } from './comparison-verdict';
import { equivalencePValue } from './equivalence';
import { mcnemar } from './mcnemar';
import { newcombe, type Proportion } from './newcombe';

const words = (evidence: Partial<ComparisonEvidence>) =>
  verdictWords(
    comparisonVerdict({
      n: 140,
      difference: 0.05,
      paired: true,
      rejected: false,
      smallestDifference: null,
      equivalentWithin: null,
      ...evidence,
    }),
  );

/** Two published success counts, whose outcomes by task are not known. */
function unpairedWords(after: Proportion, before: Proportion): string {
  const { difference, low, high } = newcombe(after, before);
  return words({ n: Math.min(after.n, before.n), difference, paired: false, rejected: low > 0 || high < 0 });
}

describe('comparisonVerdict', () => {
  it('does not compare 1 of 4 with 3 of 4', () => {
    expect(unpairedWords({ k: 1, n: 4 }, { k: 3, n: 4 })).toBe('n = 4, not compared');
  });

  it('cannot tell 79 from 71 of 134, nor 39 from 37 of 50', () => {
    expect(unpairedWords({ k: 79, n: 134 }, { k: 71, n: 134 })).toBe('not distinguishable, unpaired');
    expect(unpairedWords({ k: 39, n: 50 }, { k: 37, n: 50 })).toBe('not distinguishable, unpaired');
  });

  it('calls 121 of 140 higher than 1 of 140, and the reverse lower', () => {
    expect(unpairedWords({ k: 121, n: 140 }, { k: 1, n: 140 })).toBe('higher');
    expect(unpairedWords({ k: 1, n: 140 }, { k: 121, n: 140 })).toBe('lower');
  });

  it('says what a paired test that does not reject could have seen', () => {
    const { gained, lost, pValue } = mcnemar(19, 13);
    expect(
      words({ difference: (gained - lost) / 140, rejected: pValue < 0.05, smallestDifference: 0.106 }),
    ).toBe('not distinguishable (could see >= 10.6 pp)');
    expect(words({ paired: false, smallestDifference: 0.171 })).toBe(
      'not distinguishable, unpaired (could see >= 17.1 pp)',
    );
  });

  it('calls equivalent only what TOST shows, and a rejected difference by its direction all the same', () => {
    const outcomes = { both: 140, gained: 2, lost: 3, neither: 129 };
    expect(equivalencePValue(outcomes, 0.03)).toBeLessThan(0.05);
    expect(words({ n: 274, difference: -1 / 274, equivalentWithin: 0.03 })).toBe(
      'equivalent within ± 3.0 pp',
    );
    expect(words({ difference: 0.02, rejected: true, equivalentWithin: 0.03 })).toBe('higher');
  });

  it('compares from 30 tasks on', () => {
    expect(words({ n: 29, rejected: true })).toBe('n = 29, not compared');
    expect(words({ n: 30, rejected: true })).toBe('higher');
  });

  it('refuses evidence that cannot be', () => {
    expect(() => words({ n: 1.5 })).toThrow('n is 1.5');
    expect(() => words({ difference: 5.97 })).toThrow('difference is 5.97; expected a fraction');
    expect(() => words({ difference: 0, rejected: true })).toThrow('difference is 0');
  });
});
