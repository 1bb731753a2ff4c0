import { Link } from '@/components/ui/link';
import { CircleDot, Unplug } from 'lucide-react';
import type { WorkerRow } from '@/contract/api';
import { MISSING } from '@/contract/format';
import { PROTOCOL_VERSION } from '@/contract/version';
import { StateWord } from '@/components/ui/state-word';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Ago } from '@/components/ui/time';

/** Each worker with what it can do, the run it holds and its last beat. */
export function WorkersTable({ workers, now }: { workers: readonly WorkerRow[]; now: number | null }) {
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
          <WorkerCells key={worker.id} worker={worker} now={now} />
        ))}
      </tbody>
    </Table>
  );
}

function WorkerCells({ worker, now }: { worker: WorkerRow; now: number | null }) {
  return (
    <Row>
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
  );
}
