import { expect, it } from 'vitest';
import { learningOf } from '../testing/learning-check';

it('turns judged by the expert gain more held-out tasks than they lose in 16 steps, beyond chance', async () => {
  const { gained, lost, pValue } = await learningOf({
    recipe: 'turn-judge',
    steps: 16,
    seed: 11,
    tasks: 240,
  });
  expect(gained).toBeGreaterThan(lost);
  expect(pValue).toBeLessThan(0.01);
});
