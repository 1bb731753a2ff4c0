'use client';
import { Link } from '@/components/ui/link';
import { FAILURE_MODE_WORDS, type FailureCluster, type StepFailures } from '@/contract/failure-cluster';
import { formatCount, formatPercent } from '@/contract/format';
import { useFailureClusters } from '@/components/data/alert-queries';
import { Fetched } from '@/components/data/fetched';
import { useUrlState, withChanges } from '@/components/data/url-state';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';

/** Lost trajectories of a step by how and where they first went wrong; `failures`, as `31/eval`, is in the URL. */
export function FailuresPanel({ runId }: { runId: string }) {
  const query = useFailureClusters(runId);
  const { params, set } = useUrlState();
  return (
    <Panel aria-label="Failures">
      <Fetched query={query} what="the failures" height={200}>
        {(steps) => (
          <Failures
            runId={runId}
            steps={steps}
            chosen={params.get('failures')}
            onChoose={(key) => set({ failures: key })}
          />
        )}
      </Fetched>
    </Panel>
  );
}

const keyOf = ({ step, phase }: StepFailures) => `${step}/${phase}`;

interface FailuresProps {
  runId: string;
  steps: readonly StepFailures[];
  /** Step and phase to show; the newest where they are not among the steps. */
  chosen: string | null;
  onChoose: (key: string) => void;
}

export function Failures({ runId, steps, chosen, onChoose }: FailuresProps) {
  const shown = steps.find((step) => keyOf(step) === chosen) ?? steps[0];
  if (!shown)
    return (
      <>
        <PanelHead title="Failures" />
        <EmptyState title="No trajectory is recorded yet.">
          Lost trajectories appear here by their first bad turn, a step apart, as soon as one is recorded.
        </EmptyState>
      </>
    );
  return (
    <>
      <PanelHead title="Failures" caption={countWords(shown)}>
        <label className="flex items-center gap-2 text-sm text-ink-3">
          Step
          <select
            className="h-6.5 rounded-md border border-line-2 bg-surface px-1.5 text-sm text-ink"
            value={keyOf(shown)}
            onChange={(event) => onChoose(event.target.value)}
          >
            {steps.map((step) => (
              <option key={keyOf(step)} value={keyOf(step)}>
                {step.step}, {step.phase}
              </option>
            ))}
          </select>
        </label>
      </PanelHead>
      {shown.clusters.length === 0 ? (
        <p className="p-2.5 text-sm text-ink-3">{emptyWords(shown)}</p>
      ) : (
        <ClusterTable runId={runId} step={shown} />
      )}
    </>
  );
}

function emptyWords({ n, failed, unscored }: StepFailures): string {
  if (n === 0) return 'None of them states whether it was won, so none is known to be lost.';
  if (failed > 0) return 'Their turns are being marked.';
  return unscored > 0 ? 'All that state it won.' : 'All of them won.';
}

/** `12 of 140 eval trajectories lost; 3 not marked yet; outcome of 2 not stated`. */
function countWords({ phase, n, failed, unmarked, unscored }: StepFailures): string {
  const waiting = unmarked > 0 ? `; ${formatCount(unmarked)} not marked yet` : '';
  const silent = unscored > 0 ? `; outcome of ${formatCount(unscored)} not stated` : '';
  return `${formatCount(failed)} of ${formatCount(n)} ${phase} trajectories lost${waiting}${silent}`;
}

function ClusterTable({ runId, step }: { runId: string; step: StepFailures }) {
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell>First went wrong by</HeadCell>
          <HeadCell numeric>At turn</HeadCell>
          <HeadCell numeric>Trajectories</HeadCell>
          <HeadCell numeric>Of lost, %</HeadCell>
        </tr>
      </thead>
      <tbody>
        {step.clusters.map((cluster) => (
          <Row key={`${cluster.mode}/${cluster.firstBadTurn}`}>
            <Cell>
              <Link href={clusterLink(runId, step, cluster)}>{FAILURE_MODE_WORDS[cluster.mode]}</Link>
            </Cell>
            <Cell numeric>{cluster.firstBadTurn === null ? 'none' : cluster.firstBadTurn + 1}</Cell>
            <Cell numeric>
              {formatCount(cluster.count)} of {formatCount(step.failed)}
            </Cell>
            <Cell numeric>{formatPercent(cluster.count / step.failed)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function clusterLink(
  runId: string,
  { step, phase }: StepFailures,
  { mode, firstBadTurn }: FailureCluster,
): string {
  return withChanges(`/runs/${encodeURIComponent(runId)}/trajectories`, '', {
    step,
    phase,
    success: 'false',
    failureMode: mode,
    firstBadTurn,
  });
}
