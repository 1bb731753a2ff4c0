import { Link } from '@/components/ui/link';
import { ArrowDown, ArrowUp, Check, CircleSlash, Equal, type LucideIcon } from 'lucide-react';
import type { ComparedTask } from '@/contract/compare';
import type { OutcomeComparison } from '@/stats/compare-outcomes';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, Row, Table } from '@/components/ui/table';
import { PlainText } from '@/components/trajectory/plain-text';
import { changedTasks, pairHref, type ChangedTask, type ChangeKind } from './changed-tasks';
import type { Played } from './played';

const LISTED = 11;

const KINDS: Record<ChangeKind, { title: string; icon: LucideIcon; tone: string; words: string }> = {
  gained: { title: 'Gained', icon: ArrowUp, tone: 'text-ok', words: 'won after, not before' },
  lost: { title: 'Lost', icon: ArrowDown, tone: 'text-bad', words: 'won before, not after' },
  both: { title: 'Both', icon: Check, tone: 'text-ink-2', words: 'won on both sides' },
  neither: { title: 'Neither', icon: CircleSlash, tone: 'text-ink-2', words: 'won on neither side' },
  mixed: {
    title: 'Equally often',
    icon: Equal,
    tone: 'text-ink-2',
    words: 'won now and then, as often as before',
  },
};
/** Those whose lists are always there; the others only where they hold a task. */
const ALWAYS: readonly ChangeKind[] = ['gained', 'lost', 'both', 'neither'];

/** Gained, lost, both and neither: each task a row that opens the pair. */
export function ChangedTasksPanels({
  comparison,
  sides,
  tasks,
  isAll,
  onAll,
}: {
  comparison: OutcomeComparison;
  sides: { before: Played; after: Played };
  tasks: ReadonlyMap<string, ComparedTask>;
  /** Whether every task is listed, or the first of each kind. */
  isAll: boolean;
  onAll: (isAll: boolean) => void;
}) {
  const { changes } = comparison;
  if (!changes) return null;
  const kinds = (Object.keys(KINDS) as ChangeKind[]).filter(
    (kind) => ALWAYS.includes(kind) || changes[kind].length > 0,
  );
  return (
    <div className="grid grid-cols-1 items-start gap-2.5 md:grid-cols-2 xl:grid-cols-4">
      {kinds.map((kind) => (
        <KindPanel
          key={kind}
          kind={kind}
          tasks={changedTasks(changes[kind], kind, sides, tasks)}
          isAll={isAll}
          onAll={onAll}
        />
      ))}
    </div>
  );
}

function KindPanel({
  kind,
  tasks,
  isAll,
  onAll,
}: {
  kind: ChangeKind;
  tasks: readonly ChangedTask[];
  isAll: boolean;
  onAll: (isAll: boolean) => void;
}) {
  const { title, icon, tone, words } = KINDS[kind];
  const shown = isAll ? tasks : tasks.slice(0, LISTED);
  return (
    <Panel aria-label={title}>
      <PanelHead
        title={
          <span className={tone}>
            <Icon of={icon} size="small" /> {title} {tasks.length}
          </span>
        }
        caption={words}
      >
        <span className="text-xs text-ink-3">turns</span>
      </PanelHead>
      {tasks.length === 0 ? (
        <p className="px-2.5 py-2 text-sm text-ink-3">No task.</p>
      ) : (
        <Table>
          <tbody>
            {shown.map((task) => (
              <TaskRow key={task.taskId} task={task} />
            ))}
          </tbody>
        </Table>
      )}
      {tasks.length > LISTED && (
        <div className="border-t border-line px-1 py-0.5">
          <Button variant="quiet" size="small" onClick={() => onAll(!isAll)}>
            {isAll ? `First ${LISTED} of each` : `${tasks.length - LISTED} more`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function TaskRow({ task }: { task: ChangedTask }) {
  const { taskType, taskId, goal, before, after, shares } = task;
  return (
    <Row>
      <Cell className="max-w-24 truncate text-ink-2" title={taskType}>
        {taskType}
      </Cell>
      <Cell className="max-w-0 w-full">
        <Link
          href={pairHref(task)}
          title={`${goal} (${taskId})`}
          className="block truncate font-mono text-mono text-link"
        >
          <PlainText text={goal} />
        </Link>
      </Cell>
      <Cell numeric className="text-ink-2">
        {before.turns} → {after.turns}
        {shares && (
          <span className="block text-xs text-ink-3">
            {shares.before} → {shares.after} won
          </span>
        )}
      </Cell>
    </Row>
  );
}
