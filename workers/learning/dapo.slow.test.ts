import { expect, it } from 'vitest';
import { learningOf } from '../testing/learning-check';

it('DAPO gains more held-out tasks than it loses in 10 steps, beyond chance', async () => {
  const { gained, lost, pValue } = await learningOf({ recipe: 'dapo', steps: 10, seed: 11, tasks: 240 });
  expect(gained).toBeGreaterThan(lost);
  expect(pValue).toBeLessThan(0.01);
});
