import { expect, it } from 'vitest';
import { learningOf } from '../testing/learning-check';

it('GRPO on the household gains more held-out tasks than it loses in 20 steps, beyond chance', async () => {
  const { gained, lost, pValue } = await learningOf({ recipe: 'grpo', steps: 20, seed: 11, tasks: 240 });
  expect(gained).toBeGreaterThan(lost);
  expect(pValue).toBeLessThan(0.01);
});
