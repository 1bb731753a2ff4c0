import { describe, expect, it } from 'vitest';
import { imitationData } from './imitation';

describe('demonstrated turns as data', () => {
  it('weigh reply tokens alike over the batch and prompt tokens a fraction of that', () => {
    const data = imitationData(
      [
        { prompt: [1, 2, 3], reply: [4, 5, 6] },
        { prompt: [1], reply: [7] },
      ],
      0.1,
    );
    expect(data[0]?.lossFnInputs).toEqual({
      targetTokens: [2, 3, 4, 5, 6],
      weights: [0.025, 0.025, 0.25, 0.25, 0.25],
    });
    expect(data[1]?.lossFnInputs).toEqual({ targetTokens: [7], weights: [0.25] });
  });
});
