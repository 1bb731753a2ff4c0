import type { CheckpointReference } from '@/contract/checkpoint';
import type { SamplingClient } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { RecipeContext } from './recipe';

/** The one checkpoint that a requested run works with. */
export async function requestedCheckpoint(
  { checkpoints }: { checkpoints: readonly CheckpointReference[] },
  context: RecipeContext,
): Promise<{ reference: CheckpointReference; sampler: SamplingClient }> {
  const [reference] = checkpoints;
  if (!reference)
    throw new AppError('invalid_input', 'checkpoints is empty, expected the one that works', [
      { path: 'checkpoints', message: 'expected one checkpoint' },
    ]);
  return { reference, sampler: await context.openCheckpoint(reference) };
}
