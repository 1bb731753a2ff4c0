import { Link } from '@/components/ui/link';
import { ArrowLeftRight, ChevronLeft, ChevronRight } from 'lucide-react';
import type { ProbeIndex } from '@/contract/api';
import type { Pair } from '@/contract/pair';
import { Button, IconButton } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { PageHead } from '@/components/ui/page-head';
import { Tag } from '@/components/ui/tag';
import { OutcomeWord, outcomeName } from '@/components/trajectory/outcome';
import { PlainText } from '@/components/trajectory/plain-text';
import { sampleName } from '@/components/trajectory/sibling-list';
import { formatReward } from '@/contract/format';
import { checkpointRunOf, type SideModel, type SideName } from './pair-model';
import { SideTag } from './side-tag';

export interface PairChoice {
  taskId: string;
  a: number;
  b: number;
}

/** What of a run's probe can be laid side by side, and the way there. */
export interface ProbeChoices {
  index: ProbeIndex;
  choose: (choice: Partial<PairChoice>) => void;
}

const SELECT = 'h-6.5 min-w-0 rounded-md border border-line-2 bg-surface px-1.5 text-sm';

/** Title of a pair, with the probe's other tasks where it is one of them. */
export function PairHead({ pair, probe }: { pair: Pair; probe: ProbeChoices | null }) {
  const runs = [...new Map([pair.a, pair.b].map((side) => [side.runId, side.runName]))];
  return (
    <PageHead
      crumbs={
        <Crumbs
          trail={[
            RUNS_CRUMB,
            ...runs.map(([id, name]) => ({ title: name, href: `/runs/${encodeURIComponent(id)}` })),
            probe ? { title: 'probe', href: shiftPath(pair) } : { title: 'pair' },
            { title: pair.taskId },
          ]}
        />
      }
      title={
        <>
          “<PlainText text={pair.goal} />”
        </>
      }
      actions={probe ? <TaskPicker pair={pair} probe={probe} /> : undefined}
    >
      <Tag>{pair.taskType}</Tag>
    </PageHead>
  );
}

/** All tasks of the probe at the pair's two steps. */
function shiftPath({ a, b }: Pair): string {
  return `/runs/${encodeURIComponent(a.runId)}/probe?a=${a.step}&b=${b.step}`;
}

function TaskPicker({ pair, probe: { index, choose } }: { pair: Pair; probe: ProbeChoices }) {
  const place = index.tasks.findIndex((task) => task.taskId === pair.taskId);
  const visit = (offset: 1 | -1) => {
    const task = index.tasks[place + offset];
    if (task) choose({ taskId: task.taskId });
  };
  return (
    <span className="flex min-w-0 items-center gap-1 text-sm whitespace-nowrap text-ink-2">
      <IconButton label="Previous task" onClick={() => visit(-1)} disabled={place <= 0}>
        <Icon of={ChevronLeft} />
      </IconButton>
      <Kbd>H</Kbd>
      <select
        aria-label="Task"
        value={pair.taskId}
        onChange={(event) => choose({ taskId: event.target.value })}
        className={`${SELECT} max-w-90`}
      >
        {place === -1 ? <option value={pair.taskId}>{pair.taskId}, not a probe task</option> : null}
        {index.tasks.map((task, number) => (
          <option key={task.taskId} value={task.taskId}>
            {number + 1} of {index.tasks.length}: {task.goal} ({task.taskType})
          </option>
        ))}
      </select>
      <Kbd>L</Kbd>
      <IconButton label="Next task" onClick={() => visit(1)} disabled={place === index.tasks.length - 1}>
        <Icon of={ChevronRight} />
      </IconButton>
    </span>
  );
}

interface SidePickerProps {
  side: SideModel;
  probe: ProbeChoices | null;
  /** Lays another trajectory of the same checkpoint on the side. */
  lay: (side: SideName, trajectoryId: string) => void;
}

/** What lies on each side and how it ended, and the swap between them. */
export function SidePickers({
  sides,
  swap,
  ...others
}: Omit<SidePickerProps, 'side'> & { sides: readonly [SideModel, SideModel]; swap: () => void }) {
  const [a, b] = sides;
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] gap-2">
      <SidePicker side={a} {...others} />
      <Button className="h-8" onClick={swap} aria-label="Swap A and B">
        <Icon of={ArrowLeftRight} size="small" />
        <Kbd>x</Kbd>
      </Button>
      <SidePicker side={b} {...others} />
    </div>
  );
}

function SidePicker({ side, probe, lay }: SidePickerProps) {
  const { played } = side;
  return (
    <div className="flex h-8 min-w-0 items-center gap-2 rounded-md border border-line-2 bg-surface pr-2 text-sm">
      <SideTag side={side.name} className="h-full! w-6.5!" />
      {probe ? <StepSelect side={side} probe={probe} /> : <CheckpointLink side={side} />}
      {played ? <SampleSelect side={side} played={played} lay={lay} /> : null}
      <span className="ml-auto flex min-w-0 items-center gap-2">
        {played ? (
          <>
            <OutcomeWord trajectory={played.trajectory} />
            <span className="whitespace-nowrap text-ink-3">
              reward {formatReward(played.trajectory.reward)}
            </span>
          </>
        ) : (
          <span className="text-warn">not probed</span>
        )}
      </span>
    </div>
  );
}

function StepSelect({ side, probe: { index, choose } }: { side: SideModel; probe: ProbeChoices }) {
  return (
    <label className="flex items-center gap-1.5">
      step
      <select
        aria-label={`Step of side ${side.name.toUpperCase()}`}
        value={side.step}
        onChange={(event) => choose({ [side.name]: Number(event.target.value) })}
        className="h-5.5 rounded-md border border-line-2 bg-surface px-1 text-sm font-medium"
      >
        {index.steps.includes(side.step) ? null : <option value={side.step}>{side.step}, not probed</option>}
        {index.steps.map((step) => (
          <option key={step} value={step}>
            {step}
          </option>
        ))}
      </select>
    </label>
  );
}

function CheckpointLink({ side }: { side: SideModel }) {
  const run = checkpointRunOf(side);
  return (
    <span className="min-w-0 truncate">
      <Link href={`/runs/${encodeURIComponent(run.id)}`} className="text-link">
        {run.name}
      </Link>
      , step {side.step}
    </span>
  );
}

/** The shown trajectory among those of its checkpoint on the task. */
function SampleSelect({
  side,
  played,
  lay,
}: {
  side: SideModel;
  played: NonNullable<SideModel['played']>;
  lay: SidePickerProps['lay'];
}) {
  const others = side.samples.filter((sample) => sample.id !== played.id);
  return (
    <select
      aria-label={`Trajectory of side ${side.name.toUpperCase()}`}
      value={played.id}
      onChange={(event) => lay(side.name, event.target.value)}
      className="h-5.5 min-w-0 rounded-md border border-line-2 bg-surface px-1 text-sm"
    >
      <option value={played.id}>{sampleName(played.trajectory)}</option>
      {others.map((sample) => (
        <option key={sample.id} value={sample.id}>
          {sampleName(sample)}, {outcomeName(sample)}
        </option>
      ))}
    </select>
  );
}
