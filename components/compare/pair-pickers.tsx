import { ArrowLeftRight, ChevronLeft, ChevronRight } from 'lucide-react';
import type { Pair, ProbeIndex } from '@/contract/api';
import { Button, IconButton } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { PageHead } from '@/components/ui/page-head';
import { Tag } from '@/components/ui/tag';
import { OutcomeWord } from '@/components/trajectory/outcome';
import { PlainText } from '@/components/trajectory/plain-text';
import { formatReward } from '@/contract/format';
import type { SideModel } from './pair-model';
import { SideTag } from './side-tag';

export interface PairChoice {
  taskId: string;
  a: number;
  b: number;
}

const SELECT = 'h-6.5 min-w-0 rounded-md border border-line-2 bg-surface px-1.5 text-sm';

/** Title with the task picker: which of the probe's tasks is laid side by side. */
export function PairHead({
  pair,
  index,
  onTask,
}: {
  pair: Pair;
  index: ProbeIndex;
  onTask: (taskId: string) => void;
}) {
  const place = index.tasks.findIndex((task) => task.taskId === pair.taskId);
  const step = (offset: 1 | -1) => {
    const task = index.tasks[place + offset];
    if (task) onTask(task.taskId);
  };
  return (
    <PageHead
      crumbs={
        <Crumbs
          trail={[
            RUNS_CRUMB,
            { title: pair.runName, href: `/runs/${encodeURIComponent(pair.runId)}` },
            { title: 'pair' },
            { title: pair.taskId },
          ]}
        />
      }
      title={
        <>
          “<PlainText text={pair.goal} />”
        </>
      }
      actions={
        <span className="flex min-w-0 items-center gap-1 text-sm whitespace-nowrap text-ink-2">
          <IconButton label="Previous task" onClick={() => step(-1)} disabled={place <= 0}>
            <Icon of={ChevronLeft} />
          </IconButton>
          <Kbd>H</Kbd>
          <select
            aria-label="Task"
            value={pair.taskId}
            onChange={(event) => onTask(event.target.value)}
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
          <IconButton label="Next task" onClick={() => step(1)} disabled={place === index.tasks.length - 1}>
            <Icon of={ChevronRight} />
          </IconButton>
        </span>
      }
    >
      <Tag>{pair.taskType}</Tag>
    </PageHead>
  );
}

/** The two steps, each with how its greedy trajectory ended, and the swap between them. */
export function StepPickers({
  sides,
  steps,
  choose,
  swap,
}: {
  sides: readonly [SideModel, SideModel];
  steps: readonly number[];
  choose: (side: SideModel['name'], step: number) => void;
  swap: () => void;
}) {
  const [a, b] = sides;
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] gap-2">
      <StepPicker side={a} steps={steps} choose={choose} />
      <Button className="h-8" onClick={swap} aria-label="Swap A and B">
        <Icon of={ArrowLeftRight} size="small" />
        <Kbd>x</Kbd>
      </Button>
      <StepPicker side={b} steps={steps} choose={choose} />
    </div>
  );
}

function StepPicker({
  side,
  steps,
  choose,
}: {
  side: SideModel;
  steps: readonly number[];
  choose: (side: SideModel['name'], step: number) => void;
}) {
  return (
    <div className="flex h-8 min-w-0 items-center gap-2 rounded-md border border-line-2 bg-surface pr-2 text-sm">
      <SideTag side={side.name} className="h-full! w-6.5!" />
      <label className="flex items-center gap-1.5">
        step
        <select
          aria-label={`Step of side ${side.name.toUpperCase()}`}
          value={side.step}
          onChange={(event) => choose(side.name, Number(event.target.value))}
          className="h-5.5 rounded-md border border-line-2 bg-surface px-1 text-sm font-medium"
        >
          {steps.includes(side.step) ? null : <option value={side.step}>{side.step}, not probed</option>}
          {steps.map((step) => (
            <option key={step} value={step}>
              {step}
            </option>
          ))}
        </select>
      </label>
      <span className="ml-auto flex min-w-0 items-center gap-2">
        {side.played ? (
          <>
            <OutcomeWord trajectory={side.played.trajectory} />
            <span className="whitespace-nowrap text-ink-3">
              greedy, reward {formatReward(side.played.trajectory.reward)}
            </span>
          </>
        ) : (
          <span className="text-warn">not probed</span>
        )}
      </span>
    </div>
  );
}
