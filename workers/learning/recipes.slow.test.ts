import { expect, it } from 'vitest';
import { learningOf } from '../testing/learning-check';

it.each([
  ['dapo', 10],
  ['gigpo', 10],
  ['regroup', 10],
  ['alfworld-lab', 20],
  ['strata', 20],
] as const)(
  '%s gains more held-out tasks than it loses in %i steps, beyond chance',
  async (recipe, steps) => {
    const { gained, lost, pValue } = await learningOf({ recipe, steps, seed: 11, tasks: 240 });
    expect(gained).toBeGreaterThan(lost);
    expect(pValue).toBeLessThan(0.01);
  },
);
