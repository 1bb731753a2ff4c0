'use client';
import type { EvaluationRow } from '@/contract/api';
import type { Split } from '@/contract/trajectory';
import { useUrlState } from '@/components/data/url-state';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { Segmented } from '@/components/ui/segmented';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import {
  checkpointEvaluations,
  DECODINGS,
  differencePp,
  evaluatedSplits,
  formatPp,
  taskTypeRows,
  type Decoding,
} from './evaluation-points';

/** Success of each task type by split, at step 0 and at the newest evaluation. */
export function TaskTypeTable({ evaluations }: { evaluations: readonly EvaluationRow[] }) {
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
  const own = checkpointEvaluations(evaluations, split, decoding);
  const first = own.find((evaluation) => evaluation.step === 0) ?? null;
  const latest = own.at(-1) ?? null;
  return (
    <>
      <thead>
        <tr>
          <HeadCell>{split}</HeadCell>
          <HeadCell numeric>Step 0</HeadCell>
          <HeadCell numeric>{latest ? `Step ${latest.step}` : 'Newest'}</HeadCell>
          <HeadCell numeric>Difference</HeadCell>
        </tr>
      </thead>
      <tbody>
        {taskTypeRows(first, latest).map((row) => (
          <Row key={row.taskType}>
            <Cell>{row.taskType}</Cell>
            <Cell numeric>
              <Rate successes={row.first?.successes} n={row.first?.n} />
            </Cell>
            <Cell numeric>
              <Rate successes={row.latest?.successes} n={row.latest?.n} />
            </Cell>
            <Cell numeric>{formatPp(differencePp(row.latest, row.first))}</Cell>
          </Row>
        ))}
        <Row className="font-medium">
          <Cell>All</Cell>
          <Cell numeric>
            <Rate successes={first?.successes} n={first?.n} />
          </Cell>
          <Cell numeric>
            <Rate successes={latest?.successes} n={latest?.n} />
          </Cell>
          <Cell numeric>{formatPp(differencePp(latest, first))}</Cell>
        </Row>
      </tbody>
    </>
  );
}
