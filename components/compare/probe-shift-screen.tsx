'use client';
import type { ProbeShift } from '@/contract/pair';
import { Fetched } from '@/components/data/fetched';
import { useProbeShift } from '@/components/data/pair-queries';
import { useRun } from '@/components/data/run-queries';
import { useProbeIndex } from '@/components/data/trajectory-queries';
import { countParam, useUrlState } from '@/components/data/url-state';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { PageHead } from '@/components/ui/page-head';
import { NoProbe } from './no-probe';
import { ProbeShiftView } from './probe-shift-view';
import { TASK_CHANGES } from './task-change';

/**
 * Every task of a run's probe at two steps. URL: `a` and `b` (steps; by default the first and the last that were probed),
 * `of=samples` (the summary over samples), `change` (tasks of one kind of change).
 */
export function ProbeShiftScreen({ runId }: { runId: string }) {
  const index = useProbeIndex(runId);
  const { params, set } = useUrlState();
  const steps = index.data?.steps ?? [];
  const checkpoints = useRun(runId).data?.view.checkpoints ?? [];
  const lastStep = checkpoints.findLast(({ complete }) => complete)?.step ?? null;
  const a = countParam(params, 'a') ?? steps[0];
  const b = countParam(params, 'b') ?? steps.at(-1);
  const query = useProbeShift(runId, a === undefined || b === undefined ? null : { a, b });
  const head = (
    <PageHead
      crumbs={<Crumbs trail={[RUNS_CRUMB, { title: runId, href: `/runs/${encodeURIComponent(runId)}` }]} />}
      title="Probe"
    />
  );
  return (
    <Fetched query={index} what="the probe of this run" height={640} head={head}>
      {({ tasks }) =>
        tasks.length === 0 ? (
          <>
            {head}
            <NoProbe runId={runId} title="Nothing was probed." />
          </>
        ) : (
          <Fetched query={query} what="the probe at these steps" height={640} head={head}>
            {(shift: ProbeShift) => (
              <ProbeShiftView
                shift={shift}
                lastStep={lastStep}
                of={params.get('of') === 'samples' ? 'samples' : 'greedy'}
                change={TASK_CHANGES.find((kind) => kind === params.get('change')) ?? null}
                onChange={(changes) => set({ ...changes })}
                choose={(chosen) => set({ a: shift.a, b: shift.b, ...chosen }, 'push')}
              />
            )}
          </Fetched>
        )
      }
    </Fetched>
  );
}
