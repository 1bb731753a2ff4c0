import { describe, expect, it } from 'vitest';
import { judgeFigures, type TabledTurn } from './judge-tables';

const turn = (taskType: string, success: boolean, judgeScore: number, replyTokens: number): TabledTurn => ({
  taskType,
  success,
  judgeScore,
  replyTokens,
});

describe('the figures of judged turns', () => {
  const turns = [
    turn('open', false, 0.5, 10),
    turn('open', false, -1, 50),
    turn('open', true, 1, 20),
    turn('go', false, 0, 30),
    turn('go', true, -0.5, 40),
  ];

  it('tell how often the outcome blames sound turns, in all and by task type', () => {
    const [all, go, open] = judgeFigures(turns).rows;
    expect(all).toMatchObject({ taskType: null, n: 5, failed: 3, failRate: 0.6, soundAndFailed: 0.4 });
    expect(all?.soundGivenFailed).toBeCloseTo(2 / 3, 12);
    expect(all?.goodGivenFailed).toBeCloseTo(1 / 3, 12);
    expect(go).toMatchObject({ taskType: 'go', n: 2, failed: 1, soundGivenFailed: 1, goodGivenFailed: 0 });
    expect(open).toMatchObject({ taskType: 'open', n: 3, failed: 2, soundGivenFailed: 0.5 });
  });

  it('rank scores by length, and give each fifth its own mean', () => {
    const { lengthCorrelation, quintiles } = judgeFigures(turns);
    // Ranks by length 1 to 5 have the scores' ranks 4, 5, 3, 2, 1: 1 - 6 * 38 / 120 by the squared differences.
    expect(lengthCorrelation).toBeCloseTo(1 - (6 * (9 + 9 + 0 + 4 + 16)) / 120, 12);
    expect(quintiles.map(({ n, shortest, score }) => [n, shortest, score])).toEqual([
      [1, 10, 0.5],
      [1, 20, 1],
      [1, 30, 0],
      [1, 40, -0.5],
      [1, 50, -1],
    ]);
  });

  it('are missing, not 0, where nothing was scored or nothing failed', () => {
    expect(judgeFigures([])).toEqual({
      rows: [
        {
          taskType: null,
          n: 0,
          failed: 0,
          failRate: null,
          soundGivenFailed: null,
          goodGivenFailed: null,
          soundAndFailed: null,
        },
      ],
      lengthCorrelation: null,
      quintiles: [],
    });
    expect(judgeFigures([turn('open', true, 1, 5)]).rows[0]?.soundGivenFailed).toBeNull();
  });
});
