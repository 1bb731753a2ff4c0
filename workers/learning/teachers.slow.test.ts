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

it('sft learns nothing from replies that are dealt anew among the prompts of a step', async () => {
  const check = { recipe: 'sft', steps: 80, seed: 11, tasks: 240 } as const;
  const values = ['demonstrations.permute=true'];
  const { gained, lost, pValue } = await learningOf({ ...check, values });
  expect(gained > lost && pValue < 0.01).toBe(false);
});
