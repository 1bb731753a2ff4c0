import type { ComparedTask, ComparedTrajectory } from '@/contract/compare';
import type { TaskChanges } from '@/stats/compare-outcomes';
import type { Played } from './played';

export type ChangeKind = keyof TaskChanges;

/** A task that was played on both sides, with a trajectory of each to lay side by side. */
export interface ChangedTask {
  taskId: string;
  taskType: string;
  goal: string;
  before: ComparedTrajectory;
  after: ComparedTrajectory;
  /** Trajectories won of those played, before and after; null with one a side. */
  shares: { before: string; after: string } | null;
}

/** The tasks of one kind of change, by task type and id. */
export function changedTasks(
  ids: readonly string[],
  kind: ChangeKind,
  { before, after }: { before: Played; after: Played },
  tasks: ReadonlyMap<string, ComparedTask>,
): ChangedTask[] {
  return ids
    .flatMap((taskId): ChangedTask[] => {
      const [listBefore, listAfter] = [before.byTask?.get(taskId), after.byTask?.get(taskId)];
      const task = tasks.get(taskId);
      if (!listBefore || !listAfter || !task) return [];
      const shown = { before: telling(listBefore, kind, 'before'), after: telling(listAfter, kind, 'after') };
      if (!shown.before || !shown.after) return [];
      const isSingle = listBefore.length === 1 && listAfter.length === 1;
      return [
        {
          ...task,
          before: shown.before,
          after: shown.after,
          shares: isSingle ? null : { before: shareOf(listBefore), after: shareOf(listAfter) },
        },
      ];
    })
    .sort((a, b) => a.taskType.localeCompare(b.taskType) || a.taskId.localeCompare(b.taskId));
}

/** Of several trajectories of a task the first whose outcome shows the change. */
function telling(
  trajectories: readonly ComparedTrajectory[],
  kind: ChangeKind,
  side: 'before' | 'after',
): ComparedTrajectory | undefined {
  const won =
    kind === 'both' || (kind === 'gained' && side === 'after') || (kind === 'lost' && side === 'before');
  return trajectories.find(({ success }) => success === won) ?? trajectories[0];
}

function shareOf(trajectories: readonly ComparedTrajectory[]): string {
  return `${trajectories.filter(({ success }) => success).length}/${trajectories.length}`;
}

/** Address of two trajectories side by side. */
export function pairHref({ before, after }: ChangedTask): string {
  return `/pair?${new URLSearchParams({ a: before.id, b: after.id }).toString()}`;
}
