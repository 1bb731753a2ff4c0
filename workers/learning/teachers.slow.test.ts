import { expect, it } from 'vitest';
import { learningOf } from '../testing/learning-check';

it.each([
  { recipe: 'opd', steps: 16 },
  { recipe: 'sdar', steps: 10 },
  { recipe: 'sft', steps: 80 },
] as const)(
  '$recipe gains more held-out tasks than it loses in $steps steps, beyond chance',
  async ({ recipe, steps }) => {
    const { gained, lost, pValue } = await learningOf({ recipe, steps, seed: 11, tasks: 240 });
    expect(gained).toBeGreaterThan(lost);
    expect(pValue).toBeLessThan(0.01);
  },
);
