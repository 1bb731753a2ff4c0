import { TimerOff } from 'lucide-react';
import type { WorkerRow } from '@/contract/api';
import { formatCount, MISSING } from '@/contract/format';
import type { GpuReport, WorkerReport } from '@/contract/worker-report';
import { classNames } from '@/components/ui/class-names';
import { Meter } from '@/components/ui/meter';
import { Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import { StateWord } from '@/components/ui/state-word';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Ago } from '@/components/ui/time';
import { isStale, machineFacts } from './machine-facts';

/** What a worker told of its machine: cards, and what they and its settings offer to engines. */
export function MachinePanel({ worker, now }: { worker: WorkerRow; now: number | null }) {
  const { name, report, reportedAt } = worker;
  if (!report) return null;
  const stale = now !== null && isStale(worker, now);
  return (
    <Panel aria-label={`Machine of ${name}`}>
      <PanelHead title={name}>
        {stale && (
          <StateWord icon={TimerOff} tone="warn" title="The worker has not told of its machine since">
            stale
          </StateWord>
        )}
        <span className="text-sm text-ink-3">
          told <Ago at={reportedAt} now={now} />
        </span>
      </PanelHead>
      <div className={classNames(stale && 'text-ink-3')}>
        {report.gpus.length > 0 ? <Gpus gpus={report.gpus} /> : <NoGpu report={report} />}
        <dl className="grid gap-1 border-t border-line p-2.5 text-sm">
          {machineFacts(report).map(([fact, words]) => (
            <div key={fact} className="flex gap-2">
              <dt className="w-32 shrink-0 text-ink-3">{fact}</dt>
              <dd className="min-w-0 wrap-anywhere">{words}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}

function NoGpu({ report }: { report: WorkerReport }) {
  return <PanelBody className="text-sm">No GPU: {report.gpuProblem ?? 'none is listed'}.</PanelBody>;
}

function Gpus({ gpus }: { gpus: readonly GpuReport[] }) {
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell numeric>GPU</HeadCell>
          <HeadCell>Name</HeadCell>
          <HeadCell>Memory used of total, MiB</HeadCell>
          <HeadCell numeric title="Share of the driver’s last sample in which a kernel ran">
            Utilisation, %
          </HeadCell>
          <HeadCell numeric>Compute capability</HeadCell>
          <HeadCell>Driver</HeadCell>
        </tr>
      </thead>
      <tbody>
        {gpus.map((gpu) => (
          <Row key={gpu.index}>
            <Cell numeric>{gpu.index}</Cell>
            <Cell>
              {gpu.name}
              {gpu.mig && <span className="text-ink-3"> in MIG instances</span>}
            </Cell>
            <Cell>
              <Memory gpu={gpu} />
            </Cell>
            <Cell numeric>{gpu.utilizationPercent ?? MISSING}</Cell>
            <Cell numeric>{gpu.computeCapability ?? MISSING}</Cell>
            <Cell>{gpu.driver ?? MISSING}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function Memory({ gpu: { index, memoryUsedMib: used, memoryTotalMib: total } }: { gpu: GpuReport }) {
  return (
    <>
      <span className="tabular-nums">
        {formatCount(used)} / {formatCount(total)}
      </span>
      {used !== null && total !== null && total > 0 && (
        <Meter fraction={used / total} label={`Memory of GPU ${index}`} />
      )}
    </>
  );
}
