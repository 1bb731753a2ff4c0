import { describe, expect, it } from 'vitest';
import { headTailGap, klAdvantages, meanReverseKl, reverseKl } from './distillation';

const TOKENS = {
  studentLogprobs: [0, -1, -2, -3],
  teacherLogprobs: [-9, -2, -1, -3],
  mask: [0, 1, 1, 1],
};

describe('distillation', () => {
  it('measures how much likelier the student found what it sampled', () => {
    expect(reverseKl(TOKENS)).toEqual([0, 1, -1, 0]);
    expect(meanReverseKl([TOKENS, { ...TOKENS, mask: [0, 1, 0, 0] }])).toBe(1 / 4);
  });

  it('teaches each token what the teacher would have liked better', () => {
    expect(klAdvantages(TOKENS, { coefficient: 2, discount: 0 })).toEqual([
      expect.closeTo(0),
      -2,
      2,
      expect.closeTo(0),
    ]);
  });

  it('lets a token answer for what follows where there is a discount, masked ones too', () => {
    expect(klAdvantages(TOKENS, { coefficient: 1, discount: 0.5 })).toEqual([-0.25, -0.5, 1, 0]);
  });

  it('suspects another tokenizer where the lengths differ', () => {
    expect(() => reverseKl({ ...TOKENS, teacherLogprobs: [-1] })).toThrow(
      'the teacher scored 1 tokens of 4; do both use one tokenizer?',
    );
  });
});

describe('the gap at the ends of a reply', () => {
  it('is that of its first and last fifth', () => {
    const student = [-1, -1, -9, -9, -9, -9, -9, -9, -1, -1];
    const teacher = [-0.5, -0.1, 0, 0, 0, 0, 0, 0, -2, -3];
    const { head, tail } = headTailGap(student, teacher);
    expect(head).toBeCloseTo(0.7, 12);
    expect(tail).toBeCloseTo(-1.5, 12);
  });

  it('of a short reply is that of single tokens', () => {
    expect(headTailGap([-1, -1], [-2, 0])).toEqual({ head: -1, tail: 1 });
    expect(() => headTailGap([], [])).toThrow('empty reply');
  });
});
