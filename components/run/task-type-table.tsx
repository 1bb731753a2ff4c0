'use client';
import type { EvaluationRow } from '@/contract/api';
import type { TaskTypeCount } from '@/contract/evaluation';
import type { Split } from '@/contract/trajectory';
import { useUrlState } from '@/components/data/url-state';
import { ExportMenu } from '@/components/export/export-menu';
import { Difference, DifferenceHead } from '@/components/ui/difference';
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
      <PanelHead title="By task type" caption="k/n, %, 95% Wilson; exploratory; n < 30 is grey">
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
            <SplitTable key={split} split={split} decoding={decoding} evaluations={evaluations} />
          ))}
        </Table>
      )}
    </Panel>
  );
}

function SplitTable({
  split,
  decoding,
  evaluations,
}: {
  split: Split;
  decoding: Decoding;
  evaluations: readonly EvaluationRow[];
}) {
  const { first, latest } = firstAndLatest(evaluations, split, decoding);
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
