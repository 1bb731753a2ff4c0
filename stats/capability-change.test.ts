import { describe, expect, it } from 'vitest';
import { capabilityChange } from './capability-change';

describe('a change of general capability', () => {
  it('is a loss where the interval lies below 0: IFEval of a model of long reasoning', () => {
    const { kind, interval } = capabilityChange({ k: 461, n: 541 }, { k: 485, n: 541 });
    expect(kind).toBe('lost');
    expect((100 * interval.difference).toFixed(2)).toBe('-4.44');
    expect(interval.high).toBeLessThan(0);
  });

  it('is retained where it holds 0 and rules out the margin', () => {
    expect(capabilityChange({ k: 486, n: 541 }, { k: 485, n: 541 }).words).toBe('retained');
  });

  it('is not decided where a loss of the margin cannot be ruled out: 115 of 198 against 123', () => {
    expect(capabilityChange({ k: 115, n: 198 }, { k: 123, n: 198 })).toMatchObject({
      kind: 'undecided',
      words: 'not distinguishable, unpaired (could see >= 14.1 pp)',
    });
  });

  it('is a gain above 0, and nothing of 19 questions', () => {
    expect(capabilityChange({ k: 180, n: 200 }, { k: 140, n: 200 }).kind).toBe('gained');
    expect(capabilityChange({ k: 2, n: 19 }, { k: 19, n: 19 })).toMatchObject({
      kind: 'small',
      words: 'n = 19, not compared',
    });
  });
});
