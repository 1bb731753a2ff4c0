'use client';
import type { WorkerRow } from '@/contract/api';
import { Fetched } from '@/components/data/fetched';
import { useNow } from '@/components/data/now';
import { useWorkers } from '@/components/data/run-queries';
import { PageHead } from '@/components/ui/page-head';
import { Panel, SectionHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { MachinePanel } from './machine-panel';
import { WorkersTable } from './workers-table';

/** Who trains, and on what: every worker that has ever shaken hands, and the machines that they told of. */
export function WorkersScreen() {
  const query = useWorkers();
  return (
    <>
      <PageHead title="Workers" />
      <Fetched query={query} what="the workers" height={120}>
        {(workers) => <Workers workers={workers} />}
      </Fetched>
    </>
  );
}

function Workers({ workers }: { workers: readonly WorkerRow[] }) {
  const now = useNow();
  const machines = workers.filter(({ report }) => report !== null);
  return (
    <>
      <Panel>{workers.length === 0 ? <NoWorkers /> : <WorkersTable workers={workers} now={now} />}</Panel>
      {machines.length > 0 && <SectionHead title="Machines" caption="as their workers last told of them" />}
      <div className="grid gap-2.5">
        {machines.map((worker) => (
          <MachinePanel key={worker.id} worker={worker} now={now} />
        ))}
      </div>
    </>
  );
}

function NoWorkers() {
  return (
    <EmptyState title="No worker has connected yet.">
      <code className="font-mono text-mono">npm start</code> starts one beside the server. For another
      machine: <code className="font-mono text-mono">npm run worker</code> with the server’s address and the
      token from <code className="font-mono text-mono">.stepscope/worker-token</code>. Queued runs wait until
      one comes.
    </EmptyState>
  );
}
