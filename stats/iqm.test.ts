import { describe, expect, it } from 'vitest';
import { bootstrapIqm } from './iqm';
import { seededRandom } from './testing/seeded-random';

/** Per task one score per seed. */
const scores = [
  [0.1, 0.9],
  [0.4, 0.4],
  [0.2, 0.8],
  [0.7, 0.3],
];

describe('bootstrapIqm', () => {
  it('is the mean without the lowest and highest quarter, rounded down', () => {
    // As scipy.stats.trim_mean(scores, 0.25, axis=None): (.3 + .4 + .4 + .7) / 4, and 1..4 of 0..5.
    expect(bootstrapIqm(scores, seededRandom(1)).estimate).toBeCloseTo(0.45, 14);
    const six = [
      [5, 0],
      [3, 1],
      [2, 4],
    ];
    expect(bootstrapIqm(six, seededRandom(1)).estimate).toBe(2.5);
  });

  it('does not follow an outlier', () => {
    const calm = [
      [1, 2],
      [3, 4],
    ];
    const wild = [
      [1, 2],
      [3, 4000],
    ];
    expect(bootstrapIqm(wild, seededRandom(1)).estimate).toBe(bootstrapIqm(calm, seededRandom(1)).estimate);
  });

  it('draws seeds within tasks: where the seeds of each task agree nothing is left to chance', () => {
    const agreeing = [0.1, 0.3, 0.5, 0.9].map((score) => [score, score]);
    expect(bootstrapIqm(agreeing, seededRandom(2))).toEqual({ estimate: 0.4, low: 0.4, high: 0.4 });
  });

  it('spans what the seeds of one task allow', () => {
    // Two draws of 0 or 8, nothing cut off: 0, 4 or 8, the ends a quarter each.
    expect(bootstrapIqm([[0, 8]], seededRandom(3))).toEqual({ estimate: 4, low: 0, high: 8 });
    // Beside a task that always scores 2 twice, one of the four is cut at either end: (0 + 2) / 2, 2 or (2 + 8) / 2.
    const two = [
      [0, 8],
      [2, 2],
    ];
    expect(bootstrapIqm(two, seededRandom(3))).toEqual({ estimate: 2, low: 1, high: 5 });
  });

  it('moves with the scores and is the same for the same seed', () => {
    const plain = bootstrapIqm(scores, seededRandom(4));
    const moved = bootstrapIqm(
      scores.map((seeds) => seeds.map((score) => score + 10)),
      seededRandom(4),
    );
    expect(moved.low).toBeCloseTo(plain.low + 10, 12);
    expect(moved.high).toBeCloseTo(plain.high + 10, 12);
    expect(bootstrapIqm(scores, seededRandom(4))).toEqual(plain);
  });

  it('refuses no tasks, a single seed and a score that is not finite', () => {
    expect(() => bootstrapIqm([], seededRandom(1))).toThrow('no task to resample');
    expect(() => bootstrapIqm([[1, 2], [3]], seededRandom(1))).toThrow('scores[1] has 1 seeds');
    expect(() => bootstrapIqm([[1, NaN]], seededRandom(1))).toThrow('scores[0][1] is NaN');
  });
});
