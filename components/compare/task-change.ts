import type { ProbeShiftTask } from '@/contract/pair';

/** What became of a task between two steps, by its greedy trajectories. */
export const TASK_CHANGES = ['gained', 'lost', 'both', 'neither', 'unpaired'] as const;
export type TaskChange = (typeof TASK_CHANGES)[number];

export const CHANGE_WORDS: Readonly<Record<TaskChange, string>> = {
  gained: 'gained',
  lost: 'lost',
  both: 'won at both',
  neither: 'won at neither',
  unpaired: 'one step only',
};

export function changeOf({ a, b }: Pick<ProbeShiftTask, 'a' | 'b'>): TaskChange {
  if (!a.greedy || !b.greedy) return 'unpaired';
  const [before, after] = [a.greedy.successes > 0, b.greedy.successes > 0];
  if (before) return after ? 'both' : 'lost';
  return after ? 'gained' : 'neither';
}
