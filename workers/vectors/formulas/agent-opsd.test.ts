import { describe, expect, it } from 'vitest';
import { reshapedAdvantages, reshapeTurns, turnEvidences } from './agent-opsd';

const SETTINGS = { discount: 0.95, reshape: 0.5, weightBound: 0.2, epsilon: 1e-4 };

describe('reshaping an advantage by evidence', () => {
  it('follows the belief from turn to turn', () => {
    const [first, second] = reshapeTurns(1, 0.5, [Math.log(3), 1], SETTINGS);
    expect(first?.beliefAfter).toBeCloseTo(0.75, 12);
    expect(second?.beliefBefore).toBe(first?.beliefAfter);
    expect(second?.cumulativeEvidence).toBeCloseTo(0.95 * Math.log(3) + 1, 12);
  });

  it('raises the weight of turns that moved the belief the way the episode ended', () => {
    const evidences = [2, -2];
    const weights = (advantage: number) =>
      reshapeTurns(advantage, 0.5, evidences, SETTINGS).map(({ weight }) => weight);
    const [helped = NaN, hurt = NaN] = weights(1);
    expect(helped).toBeGreaterThan(1);
    expect(hurt).toBeLessThan(1);
    expect(weights(-1)).toEqual([expect.closeTo(hurt, 12), expect.closeTo(helped, 12)]);
  });

  it('keeps weights within their bound, and the advantage where there is nothing to tell turns apart', () => {
    const wild = reshapeTurns(2, 0.5, [9, -9, 9, -9, 0], SETTINGS);
    for (const { weight, advantage } of wild) {
      expect(Math.abs(weight - 1)).toBeLessThanOrEqual(0.2 + 1e-12);
      expect(advantage).toBeCloseTo(2 * (0.5 + 0.5 * weight), 12);
    }
    expect(reshapeTurns(2, 0.5, [0.7], SETTINGS)[0]?.advantage).toBe(2);
    expect(reshapeTurns(0, 0.5, [1, 2], SETTINGS).map(({ advantage }) => advantage)).toEqual([0, 0]);
    expect(reshapeTurns(1, 0.5, [], SETTINGS)).toEqual([]);
  });

  it('begins at the group’s mean reward, away from 0 and 1', () => {
    const batch = { rewards: [1, 0, 1], groupIds: ['a', 'a', 'b'], turnEvidences: [[1], [1], [1]] };
    const [first, second, alone] = reshapedAdvantages(batch, SETTINGS);
    expect(first?.belief).toBe(0.5);
    expect(first?.advantage).toBeCloseTo(0.5 / (0.5 + 1e-4), 12);
    expect(second?.advantage).toBeCloseTo(-0.5 / (0.5 + 1e-4), 12);
    expect(alone).toMatchObject({ belief: 0.9999, advantage: 0 });
  });
});

describe('the evidence of a turn', () => {
  const turns = [{ start: 1, end: 3, logprobs: [-1, -2] }];

  it('is what the teacher likes its tokens better, where they stand in the teacher’s sequence', () => {
    expect(turnEvidences(turns, [null, -9, -0.5, -0.5], 1)).toEqual([2]);
  });

  it('names a token that the teacher did not score', () => {
    expect(() => turnEvidences(turns, [null, -1], 0)).toThrow('the teacher scored no token 2 (turn 0)');
    expect(() => turnEvidences(turns, [null, null, -1], 0)).toThrow('the teacher scored no token 1 (turn 0)');
  });

  it('refuses log-probabilities that are not one a token', () => {
    expect(() => turnEvidences([{ start: 1, end: 4, logprobs: [-1] }], [], 0)).toThrow(
      'turn 0 has 1 log-probabilities for 3 tokens',
    );
  });
});
