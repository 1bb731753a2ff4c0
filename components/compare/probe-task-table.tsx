import type { ReactNode } from 'react';
import { Link } from '@/components/ui/link';
import type { BehaviourCounts, ProbeShift, ProbeShiftSide, ProbeShiftTask } from '@/contract/pair';
import { MISSING } from '@/contract/format';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { keepInView } from '@/components/trajectory/keep-in-view';
import { OutcomeWord } from '@/components/trajectory/outcome';
import { PlainText } from '@/components/trajectory/plain-text';
import { CHANGE_WORDS, changeOf } from './task-change';

/** Address of a task's pair at the steps of a shift. */
export function taskPairPath({ runId, a, b }: ProbeShift, taskId: string): string {
  const search = new URLSearchParams({ task: taskId, a: String(a), b: String(b) });
  return `/runs/${encodeURIComponent(runId)}/pair?${search.toString()}`;
}

/** Every task with what changed: outcome, length and marks of the greedy trajectories, samples, where they part. */
export function ProbeTaskTable({
  shift,
  tasks,
  selected,
  children,
}: {
  shift: ProbeShift;
  tasks: readonly ProbeShiftTask[];
  /** Index of the selected row. */
  selected: number;
  children: ReactNode;
}) {
  return (
    <Panel className="mt-2.5">
      <PanelHead title="Tasks" caption="greedy trajectories; samples as successes / n">
        {children}
      </PanelHead>
      <Table>
        <thead>
          <tr>
            <HeadCell>Task</HeadCell>
            <HeadCell>Change</HeadCell>
            {(['a', 'b'] as const).map((side) => (
              <HeadCell key={side}>
                <span className={side === 'a' ? 'text-a' : 'text-b'}>{side.toUpperCase()}</span> step{' '}
                {shift[side]}
              </HeadCell>
            ))}
            <HeadCell numeric>Samples A → B</HeadCell>
            <HeadCell numeric>Parts at turn</HeadCell>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task, index) => (
            <Row
              key={task.taskId}
              selected={index === selected}
              ref={index === selected ? keepInView : undefined}
            >
              <Cell>
                <Link href={taskPairPath(shift, task.taskId)} className="text-link">
                  <PlainText text={task.goal} />
                </Link>
                <span className="block text-xs text-ink-3">
                  {task.taskType}, {task.taskId}
                </span>
              </Cell>
              <Cell className="font-medium">{CHANGE_WORDS[changeOf(task)]}</Cell>
              <Cell>
                <GreedyWords side={task.a} />
              </Cell>
              <Cell>
                <GreedyWords side={task.b} />
              </Cell>
              <Cell numeric>
                {samplesWords(task.a)} → {samplesWords(task.b)}
              </Cell>
              <Cell numeric>{partingWords(task)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {tasks.length === 0 ? (
        <p className="p-2.5 text-sm text-ink-2">No task of this kind. Choose “All”.</p>
      ) : null}
    </Panel>
  );
}

function GreedyWords({ side: { greedy } }: { side: ProbeShiftSide }) {
  if (!greedy) return <span className="text-ink-3">not probed</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <OutcomeWord
        trajectory={{
          success: greedy.successes > 0,
          stopReason: greedy.stopReason,
          error: greedy.error,
          turnsCount: greedy.turns,
        }}
      />
      <span className="text-xs text-ink-3">{markWords(greedy)}</span>
    </span>
  );
}

/** `10 turns · 8 not in list · 8 refused · loop`; what did not occur is left out. */
function markWords({ turns, listedTurns, grounded, invalid, noOp, looping }: BehaviourCounts): string {
  return [
    `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    listedTurns > grounded && `${listedTurns - grounded} not in list`,
    invalid > 0 && `${invalid} refused`,
    noOp > 0 && `${noOp} no-op`,
    looping > 0 && 'loop',
  ]
    .filter(Boolean)
    .join(' · ');
}

function samplesWords({ samples }: ProbeShiftSide): string {
  return samples ? `${samples.successes}/${samples.trajectories}` : MISSING;
}

function partingWords({ a, b, firstDivergence }: ProbeShiftTask): string {
  if (!a.greedy || !b.greedy) return MISSING;
  return firstDivergence === null ? 'never' : String(firstDivergence);
}
