import { describe, expect, it } from 'vitest';
import { outcomeNoise } from './outcome-noise';

describe('outcome against judge', () => {
  it('counts the turns of failed trajectories that the judge thought sound', () => {
    const turns = [
      { success: true, judgeScore: -1 },
      { success: false, judgeScore: -0.1 },
      { success: false, judgeScore: 0 },
      { success: false, judgeScore: 0.5 },
      { success: false, judgeScore: 1 },
    ];
    expect(outcomeNoise(turns)).toEqual({
      n: 5,
      failed: 4,
      failRate: 0.8,
      soundGivenFailed: 0.75,
      goodGivenFailed: 0.5,
      soundAndFailed: 0.6,
    });
  });

  it('knows no share of no failures', () => {
    expect(outcomeNoise([{ success: true, judgeScore: 1 }])).toMatchObject({
      failed: 0,
      failRate: 0,
      soundGivenFailed: NaN,
      soundAndFailed: 0,
    });
  });
});
