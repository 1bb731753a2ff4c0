'use client';
import Link from 'next/link';
import { CircleDot, Unplug } from 'lucide-react';
import type { WorkerRow } from '@/contract/api';
import { MISSING } from '@/contract/format';
import { PROTOCOL_VERSION } from '@/contract/version';
import { Fetched } from '@/components/data/fetched';
import { useNow } from '@/components/data/now';
import { useWorkers } from '@/components/data/run-queries';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { StateWord } from '@/components/ui/state-word';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Ago } from '@/components/ui/time';

/** Who trains: every worker that has ever shaken hands, with its last beat. */
export function WorkersScreen() {
  const query = useWorkers();
  return (
    <>
      <PageHead title="Workers" />
      <Panel>
        <Fetched query={query} what="the workers" height={120}>
          {(workers) => (workers.length === 0 ? <NoWorkers /> : <WorkersTable workers={workers} />)}
        </Fetched>
      </Panel>
    </>
  );
}

function WorkersTable({ workers }: { workers: readonly WorkerRow[] }) {
  const now = useNow();
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell>State</HeadCell>
          <HeadCell>Worker</HeadCell>
          <HeadCell>Engines</HeadCell>
          <HeadCell>Devices</HeadCell>
          <HeadCell>Environments</HeadCell>
          <HeadCell numeric>Protocol</HeadCell>
          <HeadCell>Run</HeadCell>
          <HeadCell numeric title="A worker beats while it has a run; an idle one is held by its connection">
            Last beat
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <Row key={worker.id}>
            <Cell>
              {worker.connected ? (
                <StateWord icon={CircleDot} tone="ok">
                  {worker.runId ? 'busy' : 'idle'}
                </StateWord>
              ) : (
                <StateWord icon={Unplug} tone="quiet">
                  away
                </StateWord>
              )}
            </Cell>
            <Cell>
              {worker.name}
              <span className="block font-mono text-xs text-ink-3">{worker.id}</span>
            </Cell>
            <Cell>{worker.engines.join(', ')}</Cell>
            <Cell>{worker.devices.join(', ')}</Cell>
            <Cell>{worker.environments.join(', ')}</Cell>
            <Cell numeric>
              {worker.protocol}
              {worker.protocol !== PROTOCOL_VERSION && (
                <span className="text-warn"> server has {PROTOCOL_VERSION}</span>
              )}
            </Cell>
            <Cell>
              {worker.runId ? (
                <Link href={`/runs/${worker.runId}`} className="text-link">
                  {worker.runName ?? worker.runId}
                </Link>
              ) : (
                <span className="text-ink-3">{MISSING}</span>
              )}
            </Cell>
            <Cell numeric>
              {worker.connected && worker.runId === null ? (
                <span className="text-ink-3">idle, connected</span>
              ) : (
                <Ago at={worker.lastBeatAt} now={now} />
              )}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
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
