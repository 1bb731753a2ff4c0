'use client';
import type { EvaluationRow } from '@/contract/api';
import { checkpointName } from '@/contract/compare';
import type { EvaluationResult, TaskTypeCount } from '@/contract/evaluation';
import type { Split } from '@/contract/trajectory';
import { withCheckpoints } from '@/components/compare/compare-state';
import { useUrlState } from '@/components/data/url-state';
import { ExportMenu } from '@/components/export/export-menu';
import { Difference, DifferenceHead } from '@/components/ui/difference';
import { Link } from '@/components/ui/link';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { Segmented } from '@/components/ui/segmented';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import {
  checkpointEvaluations,
  DECODINGS,
  evaluatedSplits,
  firstAndLatest,
  taskTypeRows,
  type Decoding,
} from './evaluation-points';
import { exportTaskTypeTable } from './task-type-export';

/** Success of each task type by split, at step 0 and at the newest evaluation. */
export function TaskTypeTable({
  runId,
  evaluations,
}: {
  runId: string;
  evaluations: readonly EvaluationRow[];
}) {
  const { params, set } = useUrlState();
  const decoding: Decoding = params.get('decoding') === 'greedy' ? 'greedy' : 'sampled';
  const splits = evaluatedSplits(evaluations).filter(
    (split) => checkpointEvaluations(evaluations, split, decoding).length > 0,
  );
  return (
    <Panel aria-label="By task type">
      <PanelHead
        title="By task type"
        caption="k/n, %, 95% Wilson; differences unpaired, Newcombe; exploratory; n < 30 is grey"
      >
        <Segmented
          label="Decoding"
          value={decoding}
          options={DECODINGS.map((value) => ({ value, title: value }))}
          onChange={(value) => set({ decoding: value === 'sampled' ? null : value })}
        />
        <ExportMenu table={() => exportTaskTypeTable(runId, evaluations, splits, decoding)} />
      </PanelHead>
      {splits.length === 0 ? (
        <EmptyState title={`No ${decoding} evaluation yet.`}>
          The table fills with the first evaluation, at step 0.
        </EmptyState>
      ) : (
        <Table>
          {splits.map((split) => (
            <SplitTable
              key={split}
              runId={runId}
              split={split}
              decoding={decoding}
              evaluations={evaluations}
            />
          ))}
        </Table>
      )}
    </Panel>
  );
}

function SplitTable({
  runId,
  split,
  decoding,
  evaluations,
}: {
  runId: string;
  split: Split;
  decoding: Decoding;
  evaluations: readonly EvaluationRow[];
}) {
  const { first, latest } = firstAndLatest(evaluations, split, decoding);
  const paired = pairedHref(runId, first, latest);
  return (
    <>
      <thead>
        <tr>
          <HeadCell>{split}</HeadCell>
          <HeadCell numeric>{first ? 'Step 0' : 'Step 0, not evaluated'}</HeadCell>
          {latest ? (
            <>
              <HeadCell numeric>Step {latest.step}</HeadCell>
              <HeadCell numeric>
                <DifferenceHead />
                {paired !== null && (
                  <>
                    <br />
                    <Link
                      href={paired}
                      className="text-link"
                      title="The same two checkpoints in Compare, where each task is read against itself"
                    >
                      paired by task in Compare
                    </Link>
                  </>
                )}
              </HeadCell>
            </>
          ) : (
            <HeadCell numeric colSpan={2}>
              not evaluated after step 0
            </HeadCell>
          )}
        </tr>
      </thead>
      <tbody>
        {taskTypeRows(first, latest).map((row) => (
          <Row key={row.taskType}>
            <Cell>{row.taskType}</Cell>
            <Figures first={row.first} latest={row.latest} />
          </Row>
        ))}
        <Row className="font-medium">
          <Cell>All</Cell>
          <Figures first={first} latest={latest} />
        </Row>
      </tbody>
    </>
  );
}

/** The two evaluations in Compare, on their split and decoding; null where there are not two. */
function pairedHref(
  runId: string,
  first: EvaluationResult | null,
  latest: EvaluationResult | null,
): string | null {
  if (!first || !latest) return null;
  const shown = new URLSearchParams({ split: latest.split, decoding: latest.decoding });
  const names = [first, latest].map(({ checkpoint, step }) => checkpointName(checkpoint ?? { runId, step }));
  return withCheckpoints(shown.toString(), names);
}

type Count = Pick<TaskTypeCount, 'successes' | 'n'> | null;

function Figures({ first, latest }: { first: Count; latest: Count }) {
  return (
    <>
      <Cell numeric>
        <Rate successes={first?.successes} n={first?.n} />
      </Cell>
      <Cell numeric>
        <Rate successes={latest?.successes} n={latest?.n} />
      </Cell>
      <Cell numeric>
        <Difference a={latest} b={first} />
      </Cell>
    </>
  );
}
