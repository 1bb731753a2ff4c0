import { describe, expect, it } from 'vitest';
import { HEAT_MODES, heatBin, heatValues, heatWords, nextHeat, readHeat } from './token-heat';

const tokens = { ids: [1, 2, 3], texts: ['a', 'b', 'c'], logprobs: [-0.1, null, -2] };

describe('shades of tokens', () => {
  it('are of surprise, which a written token has none of', () => {
    expect(heatValues({ tokens }, 'logprob', null)).toEqual([0.1, null, 2]);
  });

  it('are of the trajectory’s advantage, the same for every sampled token', () => {
    expect(heatValues({ tokens }, 'advantage', -0.5)).toEqual([-0.5, null, -0.5]);
  });

  it('are of the entropy that each token was drawn at', () => {
    expect(heatValues({ tokens: { ...tokens, entropies: [0.2, null, 1.1] } }, 'entropy', null)).toEqual([
      0.2,
      null,
      1.1,
    ]);
  });

  it('are of the teacher’s log-probability less the student’s', () => {
    const scored = { ...tokens, teacherLogprobs: [-0.1, -1, -0.5] };
    expect(heatValues({ tokens: scored }, 'teacher-gap', null)).toEqual([0, null, 1.5]);
  });

  it('are none where nothing was recorded, never 0', () => {
    for (const mode of HEAT_MODES) expect(heatValues({ tokens: null }, mode, 1)).toBeNull();
    for (const mode of ['entropy', 'advantage', 'teacher-gap'] as const)
      expect(heatValues({ tokens }, mode, null)).toBeNull();
  });

  it('have bins by size, with the sign where the scale has two hues', () => {
    expect([0, 0.05, 0.5, 2.4, 9].map((value) => heatBin('logprob', value))).toEqual([0, 1, 3, 6, 6]);
    expect([-2, -0.5, -0.01, 0, 0.05, 1.5].map((value) => heatBin('advantage', value))).toEqual([
      -3, -2, 0, 0, 1, 3,
    ]);
    expect(heatBin('entropy', null)).toBe(0);
  });

  it('are told in words with their unit', () => {
    expect(heatWords('logprob', 1.2)).toBe('surprise, −ln p 1.20 nats');
    expect(heatWords('advantage', -0.5)).toBe('advantage −0.50');
    expect(heatWords('teacher-gap', null)).toBe('not sampled');
  });

  it('go round in a circle and are read from the URL', () => {
    expect(HEAT_MODES.map(nextHeat)).toEqual(['entropy', 'advantage', 'teacher-gap', 'logprob']);
    expect(readHeat('entropy')).toBe('entropy');
    expect(readHeat('colour')).toBe('logprob');
  });
});
