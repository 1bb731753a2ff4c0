import { useMemo, useState } from 'react';
import { useRouter } from 'next/navigation';
import { ArrowLeftRight } from 'lucide-react';
import type { ProbeShift } from '@/contract/pair';
import { Button } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Segmented } from '@/components/ui/segmented';
import { behaviourShift, erroredOf, pairedTasks, type ShiftOf } from './behaviour-shift';
import { BehaviourTable } from './behaviour-table';
import { ProbeNotes } from './probe-notes';
import { ProbeTaskTable, taskPairPath } from './probe-task-table';
import { CHANGE_WORDS, changeOf, TASK_CHANGES, type TaskChange } from './task-change';

interface ProbeShiftViewProps {
  shift: ProbeShift;
  /** The newest checkpoint's; null where it is not known. */
  lastStep: number | null;
  of: ShiftOf;
  /** Only tasks of this kind of change; null = all. */
  change: TaskChange | null;
  onChange: (changes: { of?: 'samples' | null; change?: TaskChange | null }) => void;
  /** Other steps. */
  choose: (steps: { a?: number; b?: number }) => void;
}

/** What changed between two steps: a summary of behaviour with intervals, then every task of the probe. */
export function ProbeShiftView({ shift, lastStep, of, change, onChange, choose }: ProbeShiftViewProps) {
  const { tasks, a, b } = shift;
  const rows = useMemo(() => behaviourShift(tasks, of), [tasks, of]);
  const shown = tasks.filter((task) => change === null || changeOf(task) === change);
  const [selected, setSelected] = useState(0);
  const place = Math.min(selected, Math.max(0, shown.length - 1));
  const router = useRouter();
  const swap = () => choose({ a: b, b: a });
  useKeys([
    {
      keys: ['j', 'ArrowDown'],
      label: 'next task',
      hint: true,
      run: () => setSelected(Math.min(place + 1, shown.length - 1)),
    },
    {
      keys: ['k', 'ArrowUp'],
      label: 'previous task',
      hint: true,
      run: () => setSelected(Math.max(place - 1, 0)),
    },
    {
      keys: ['Enter', 'p'],
      label: 'open the pair',
      hint: true,
      run: () => {
        const task = shown[place];
        if (task) router.push(taskPairPath(shift, task.taskId));
      },
    },
    { keys: ['x'], label: 'swap', hint: true, run: swap },
    {
      keys: ['s'],
      label: 'greedy or samples',
      hint: true,
      run: () => onChange({ of: of === 'greedy' ? 'samples' : null }),
    },
  ]);
  return (
    <>
      <ShiftHead shift={shift} choose={choose} swap={swap} />
      <ProbeNotes shift={shift} of={of} lastStep={lastStep} />
      <BehaviourTable
        rows={rows}
        a={a}
        b={b}
        unpaired={tasks.length - pairedTasks(tasks, of).length}
        errored={erroredOf(tasks, of)}
      >
        <Segmented
          label="Trajectories"
          value={of}
          options={[
            { value: 'greedy', title: 'Greedy' },
            { value: 'samples', title: 'Samples' },
          ]}
          onChange={(chosen) => onChange({ of: chosen === 'samples' ? 'samples' : null })}
        />
      </BehaviourTable>
      <ProbeTaskTable shift={shift} tasks={shown} selected={place}>
        <Segmented
          label="Tasks"
          value={change ?? 'all'}
          options={[
            { value: 'all', title: `All ${tasks.length}` },
            ...TASK_CHANGES.map((kind) => ({
              value: kind,
              title: `${CHANGE_WORDS[kind]} ${tasks.filter((task) => changeOf(task) === kind).length}`,
            })),
          ]}
          onChange={(chosen) => onChange({ change: chosen === 'all' ? null : chosen })}
        />
      </ProbeTaskTable>
    </>
  );
}

function ShiftHead({
  shift: { runId, runName, steps, a, b },
  choose,
  swap,
}: Pick<ProbeShiftViewProps, 'shift' | 'choose'> & { swap: () => void }) {
  const picker = (side: 'a' | 'b', step: number) => (
    <label className="flex items-center gap-1.5 text-sm">
      <span className={side === 'a' ? 'font-semibold text-a' : 'font-semibold text-b'}>
        {side.toUpperCase()}
      </span>{' '}
      step
      <select
        value={step}
        onChange={(event) => choose({ [side]: Number(event.target.value) })}
        className="h-6.5 rounded-md border border-line-2 bg-surface px-1.5 text-sm font-medium"
      >
        {steps.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <PageHead
      crumbs={
        <Crumbs
          trail={[
            RUNS_CRUMB,
            { title: runName, href: `/runs/${encodeURIComponent(runId)}` },
            { title: 'probe' },
          ]}
        />
      }
      title={`Step ${a} against step ${b}`}
      actions={
        <>
          {picker('a', a)}
          <Button onClick={swap} aria-label="Swap A and B">
            <Icon of={ArrowLeftRight} size="small" />
            <Kbd>x</Kbd>
          </Button>
          {picker('b', b)}
        </>
      }
    >
      <span className="text-sm text-ink-3">the tasks of the probe, greedy and by samples</span>
    </PageHead>
  );
}
