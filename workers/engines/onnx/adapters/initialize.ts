import type { Random } from '@/rl/random';
import type { AdapterLayout } from './layout';

/**
 * Fresh adapters as PEFT makes them: A uniform within 1 / sqrt(in) of 0 (`kaiming_uniform_` with a = sqrt(5)), B zero, so
 * that the model begins as its base. Equal generators give equal adapters.
 */
export function initializeAdapters({ rank, matrices, size }: AdapterLayout, random: Random): Float32Array {
  const adaptersQ = new Float32Array(size);
  for (const { rows, columns, leftOffset, rightOffset, inputFactor } of matrices) {
    const [offset, inputs] = inputFactor === 'left' ? [leftOffset, rows] : [rightOffset, columns];
    const bound = 1 / Math.sqrt(inputs);
    for (let index = offset; index < offset + inputs * rank; index++)
      adaptersQ[index] = (2 * random.next() - 1) * bound;
  }
  return adaptersQ;
}
