import type { Task } from '@/rl/environments/environment';

/**
 * `count` of the candidates, in turn one of each task type as long as the type has one left; types and tasks in the
 * order of the candidates.
 */
export function balancedTasks(candidates: readonly Task[], count: number): Task[] {
  const byType = new Map<string, Task[]>();
  for (const task of candidates) {
    const same = byType.get(task.taskType);
    if (same) same.push(task);
    else byType.set(task.taskType, [task]);
  }
  const rounds = Array.from({ length: candidates.length }, (_, round) =>
    [...byType.values()].flatMap((tasks) => tasks[round] ?? []),
  );
  return rounds.flat().slice(0, count);
}
