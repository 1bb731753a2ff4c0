import { describe, expect, it } from 'vitest';
import { evaluationTicks } from './run-progress';

describe('evaluation ticks', () => {
  it('stand at the first step, at every n-th and at the last', () => {
    expect(evaluationTicks(25, 10)).toEqual([0, 10, 20, 25]);
    expect(evaluationTicks(20, 10)).toEqual([0, 10, 20]);
  });

  it('are absent where nothing is evaluated', () => {
    expect(evaluationTicks(25, 0)).toEqual([]);
    expect(evaluationTicks(6000, 10)).toEqual([]);
  });
});
