import type { ComparedTask, ComparedTrajectory } from '@/contract/compare';
import type { TaskChanges } from '@/stats/compare-outcomes';
import type { ExportRow, ExportTable } from '@/components/export/table-formats';
import { changedTasks, type ChangeKind } from './changed-tasks';
import type { Played } from './played';

const KINDS: readonly ChangeKind[] = ['gained', 'lost', 'both', 'neither', 'mixed'];

interface ChangedTasksOf {
  title: string;
  changes: TaskChanges;
  sides: { before: Played; after: Played };
  tasks: ReadonlyMap<string, ComparedTask>;
  filters: ExportTable['filters'];
}

/** Every task that both sides played: what became of it, and the trajectories that show it. */
export function exportChangedTasks({ title, changes, sides, tasks, filters }: ChangedTasksOf): ExportTable {
  return {
    title,
    filters,
    columns: [
      { title: 'Change' },
      { title: 'Task type' },
      { title: 'Task' },
      { title: 'Goal' },
      { title: 'Before' },
      { title: 'After' },
      { title: 'Turns before', numeric: true },
      { title: 'Turns after', numeric: true },
    ],
    rows: KINDS.flatMap((kind) =>
      changedTasks(changes[kind], kind, sides, tasks).map(
        ({ taskId, taskType, goal, before, after, shares }): ExportRow => ({
          cells: [
            kind,
            taskType,
            taskId,
            goal,
            shares?.before ?? outcomeOf(before),
            shares?.after ?? outcomeOf(after),
            String(before.turns),
            String(after.turns),
          ],
          values: {
            change: kind,
            task_type: taskType,
            task_id: taskId,
            goal,
            before_won: shares?.before ?? before.success,
            after_won: shares?.after ?? after.success,
            before_trajectory: before.id,
            after_trajectory: after.id,
            before_turns: before.turns,
            after_turns: after.turns,
          },
        }),
      ),
    ),
  };
}

function outcomeOf({ success, stopReason }: ComparedTrajectory): string {
  return success ? 'won' : stopReason.replaceAll('_', ' ');
}
