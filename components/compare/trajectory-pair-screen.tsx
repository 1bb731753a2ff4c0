'use client';
import { AppError } from '@/contract/errors';
import { useTrajectoryPair } from '@/components/data/pair-queries';
import { Fetched } from '@/components/data/fetched';
import { useUrlState } from '@/components/data/url-state';
import { ButtonLink } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { PairPartners } from './pair-partners';
import { PairView } from './pair-view';
import { pairStateChanges, readPairState } from './pair-view-state';
import { turnWork } from './turn-work';

/** Any two trajectories of one task. URL: their ids as `a` and `b`, without `b` what can be laid beside `a`; and `readPairState`'s. */
export function TrajectoryPairScreen() {
  const { params } = useUrlState();
  const [a, b] = [params.get('a'), params.get('b')];
  if (a && b) return <LaidPair a={a} b={b} />;
  if (a) return <PairPartners trajectoryId={a} />;
  return (
    <>
      {HEAD}
      <Panel>
        <EmptyState title="No trajectory was named." actions={<ButtonLink href="/runs">Runs</ButtonLink>}>
          <p>
            A pair is two trajectories of one task: open a trajectory and choose “Lay beside…”, or the probe
            of a run to lay all its tasks side by side.
          </p>
        </EmptyState>
      </Panel>
    </>
  );
}

const HEAD = <PageHead crumbs={<Crumbs trail={[RUNS_CRUMB]} />} title="Pair" />;

function LaidPair({ a, b }: { a: string; b: string }) {
  const { params, set } = useUrlState();
  const query = useTrajectoryPair({ a, b });
  if (query.error instanceof AppError && query.error.code === 'conflict')
    return <DifferentTasks a={a} message={query.error.message} />;
  return (
    <Fetched query={query} what="the pair" height={640} head={HEAD}>
      {(pair) => (
        <PairView
          pair={pair}
          probe={null}
          state={readPairState(params)}
          onState={(changes) => set(pairStateChanges(changes))}
          turnPanel={turnWork}
          // Another trajectory has its own divergence to open at.
          swap={() => set({ a: b, b: a, t: null }, 'push')}
          lay={(side, trajectoryId) => set({ [side]: trajectoryId, t: null }, 'push')}
        />
      )}
    </Fetched>
  );
}

function DifferentTasks({ a, message }: { a: string; message: string }) {
  return (
    <>
      {HEAD}
      <Panel>
        <EmptyState
          title="These are trajectories of different tasks."
          actions={
            <ButtonLink href={`/pair?a=${encodeURIComponent(a)}`}>
              What trajectory {a} can lie beside
            </ButtonLink>
          }
        >
          <p>{message}</p>
        </EmptyState>
      </Panel>
    </>
  );
}
