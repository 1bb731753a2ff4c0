'use client';
import type { ProbeIndex } from '@/contract/api';
import { Fetched } from '@/components/data/fetched';
import { useRouter } from 'next/navigation';
import { usePair } from '@/components/data/pair-queries';
import { useProbeIndex } from '@/components/data/trajectory-queries';
import { countParam, useUrlState } from '@/components/data/url-state';
import { Button } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { NoProbe } from './no-probe';
import type { PairChoice } from './pair-pickers';
import { PairView } from './pair-view';
import { pairPath, pairStateChanges, readPairState } from './pair-view-state';
import { turnWork } from './turn-work';

/**
 * The same probe task at two steps of a run. URL: `task`, `a` and `b` (steps; by default the first and the last that
 * were probed), and what `readPairState` reads.
 */
export function PairScreen({ runId }: { runId: string }) {
  const probe = useProbeIndex(runId);
  return (
    <Fetched query={probe} what="the probe of this run" height={640} head={<BareHead runId={runId} />}>
      {(index) => {
        const [task] = index.tasks;
        return task ? (
          <ProbedPair runId={runId} index={index} firstTask={task.taskId} />
        ) : (
          <>
            <BareHead runId={runId} />
            <NoProbe runId={runId} title="No task can be laid side by side yet." />
          </>
        );
      }}
    </Fetched>
  );
}

function ProbedPair({ runId, index, firstTask }: { runId: string; index: ProbeIndex; firstTask: string }) {
  const { params, set } = useUrlState();
  const choice: PairChoice = {
    taskId: params.get('task') ?? firstTask,
    a: countParam(params, 'a') ?? index.steps[0] ?? 0,
    b: countParam(params, 'b') ?? index.steps.at(-1) ?? 0,
  };
  // Another task or step has its own divergence to open at.
  const choose = (changes: Partial<PairChoice>) => {
    const next = { ...choice, ...changes };
    set({ task: next.taskId, a: next.a, b: next.b, t: null }, 'push');
  };
  const probed =
    index.tasks.some(({ taskId }) => taskId === choice.taskId) &&
    (index.steps.includes(choice.a) || index.steps.includes(choice.b));
  const query = usePair(runId, probed ? choice : null);
  const router = useRouter();
  if (!probed)
    return (
      <NotProbed
        runId={runId}
        choice={choice}
        index={index}
        onReset={() => set({ task: null, a: null, b: null, t: null }, 'push')}
      />
    );
  return (
    <Fetched query={query} what="the pair" height={640} head={<BareHead runId={runId} />}>
      {(pair) => (
        <PairView
          pair={pair}
          probe={{ index, choose }}
          state={readPairState(params)}
          onState={(changes) => set(pairStateChanges(changes))}
          turnPanel={turnWork}
          swap={() => choose({ a: choice.b, b: choice.a })}
          lay={(side, trajectoryId) => {
            const other = pair[side === 'a' ? 'b' : 'a'].played;
            if (other) router.push(pairPath(side, trajectoryId, other.id));
          }}
        />
      )}
    </Fetched>
  );
}

/** The page's head where there is no pair to name it. */
function BareHead({ runId }: { runId: string }) {
  return (
    <PageHead
      crumbs={<Crumbs trail={[RUNS_CRUMB, { title: runId, href: `/runs/${encodeURIComponent(runId)}` }]} />}
      title="Pair"
    />
  );
}

function NotProbed({
  runId,
  choice,
  index,
  onReset,
}: {
  runId: string;
  choice: PairChoice;
  index: ProbeIndex;
  onReset: () => void;
}) {
  const known = index.tasks.some(({ taskId }) => taskId === choice.taskId);
  return (
    <>
      <BareHead runId={runId} />
      <Panel>
        <EmptyState
          title={known ? 'Neither step was probed.' : 'This task is not in the probe.'}
          actions={
            <Button onClick={onReset}>Open the first task at the first and the last probed step</Button>
          }
        >
          <p>
            Asked for: task {choice.taskId} at steps {choice.a} and {choice.b}. Probed steps:{' '}
            {index.steps.join(', ')}. Probed tasks: {index.tasks.map(({ taskId }) => taskId).join(', ')}.
          </p>
        </EmptyState>
      </Panel>
    </>
  );
}
