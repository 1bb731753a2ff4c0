import { expect, it } from 'vitest';
import { learningOf } from '../testing/learning-check';

it.each(['dapo', 'gigpo', 'regroup'] as const)(
  '%s gains more held-out tasks than it loses in 10 steps, beyond chance',
  async (recipe) => {
    const { gained, lost, pValue } = await learningOf({ recipe, steps: 10, seed: 11, tasks: 240 });
    expect(gained).toBeGreaterThan(lost);
    expect(pValue).toBeLessThan(0.01);
  },
);
