import type { Difference } from './newcombe';
import { countTasks, type PairedOutcomes } from './task-pairs';
import { wilson } from './wilson';

/**
 * 95 % interval of the second policy's fraction less the first's on the same tasks, from both Wilson bounds and the
 * outcomes' correlation phi, with its continuity correction (Newcombe 1998, Statistics in Medicine 17:2635-2650, method
 * 10). Throws without a task.
 */
export function pairedNewcombe(outcomes: PairedOutcomes): Difference {
  const { both, gained, lost } = outcomes;
  const n = countTasks(outcomes);
  const before = sidesOf(both + lost, n);
  const after = sidesOf(both + gained, n);
  const phi = correlation(outcomes, n);
  const difference = (gained - lost) / n;
  return {
    difference,
    low: difference - distance(after.below, before.above, phi),
    high: difference + distance(after.above, before.below, phi),
  };
}

/** How far Wilson's bounds lie below and above the fraction k / n. */
function sidesOf(k: number, n: number): { below: number; above: number } {
  const { low, high } = wilson(k, n);
  return { below: k / n - low, above: high - k / n };
}

/** Length of the sum of two deviations, the one subtracted from the other. */
function distance(one: number, other: number, phi: number): number {
  // Rounding may leave a square that is 0 a little below it.
  return Math.sqrt(Math.max(0, one * one - 2 * phi * one * other + other * other));
}

/** Phi of the four counts, brought n / 2 towards 0 where it is positive; 0 where one side has a single outcome. */
function correlation({ both, gained, lost, neither }: PairedOutcomes, n: number): number {
  const determinant = both * neither - gained * lost;
  const margins =
    Math.sqrt((both + lost) * (gained + neither)) * Math.sqrt((both + gained) * (lost + neither));
  if (margins === 0) return 0;
  return (determinant > 0 ? Math.max(0, determinant - n / 2) : determinant) / margins;
}
