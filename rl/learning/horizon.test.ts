import { describe, expect, it } from 'vitest';
import { maxTurnsAt } from './horizon';

describe('the turn cap of a step', () => {
  const schedule = { maxTurns: [6, 13, 20], stageSteps: 100 };

  it('grows by stages and then stays', () => {
    expect([1, 99, 100, 199, 200, 5000].map((step) => maxTurnsAt(step, schedule))).toEqual([
      6, 6, 13, 13, 20, 20,
    ]);
  });

  it('needs a cap and a stage', () => {
    expect(() => maxTurnsAt(1, { maxTurns: [], stageSteps: 100 })).toThrow('step 1 has no turn cap among []');
    expect(() => maxTurnsAt(0, { ...schedule, stageSteps: 0 })).toThrow('stages of 0 steps');
  });
});
