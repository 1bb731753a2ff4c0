import { describe, expect, it } from 'vitest';
import { JUDGE_MIXES } from '@/contract/recipes/turn-judge-presets';
import { judgedReward, type JudgedTurn } from './judge-reward';

const turn = (changes: Partial<JudgedTurn>): JudgedTurn => ({
  success: true,
  judgeScore: 0.4,
  isWellFormed: true,
  isTrajectoryWellFormed: true,
  ...changes,
});

describe('rewards of judged turns', () => {
  it('mix outcome, judge and format as published', () => {
    const of = (version: keyof typeof JUDGE_MIXES, changes: Partial<JudgedTurn> = {}) =>
      judgedReward(turn(changes), JUDGE_MIXES[version]);
    expect(of('v2.1')).toBeCloseTo(0.5 + 0.2 + 0.5, 12);
    expect(of('v2.1', { success: false })).toBeCloseTo(-0.5 + 0.2 + 0.5, 12);
    expect(of('v2.2', { success: false })).toBeCloseTo(0.4 + 0.5, 12);
    expect(of('v2.3', { judgeScore: null })).toBe(10);
    expect(of('v2.3', { success: false, judgeScore: null })).toBe(0);
  });

  it('fall to -1.5 for every turn of a trajectory with one malformed reply where the format is strict', () => {
    const broken = turn({ isTrajectoryWellFormed: false });
    expect(judgedReward(broken, JUDGE_MIXES['v2.1'])).toBe(-1.5);
    expect(judgedReward(broken, JUDGE_MIXES['v2.2'])).toBe(-1.5);
  });

  it('fall by a little for the malformed turn alone where it is soft', () => {
    const elsewhere = turn({ isTrajectoryWellFormed: false });
    expect(judgedReward(elsewhere, JUDGE_MIXES['v2.3'])).toBe(10);
    expect(judgedReward({ ...elsewhere, isWellFormed: false }, JUDGE_MIXES['v2.3'])).toBe(9.9);
  });

  it('are unknown without the judge’s score', () => {
    expect(judgedReward(turn({ judgeScore: null }), JUDGE_MIXES['v2.2'])).toBeNaN();
  });
});
