import { Link } from '@/components/ui/link';
import { formatCount } from '@/contract/format';
import type { RequestedEvaluation } from '@/contract/requested-evaluation';
import { useNow } from '@/components/data/now';
import { RunStatusWord } from '@/components/run/run-status';
import { Meter } from '@/components/ui/meter';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Ago } from '@/components/ui/time';

/** Steps that are named before the rest is counted. */
const NAMED_STEPS = 6;

/** Evaluations of a run's checkpoints that were asked for, each a run of its own. */
export function RequestedTable({ rows }: { rows: readonly RequestedEvaluation[] }) {
  const now = useNow();
  return (
    <Panel>
      <PanelHead title="Requested evaluations" caption="of checkpoints of this run, each a run of its own" />
      {rows.length === 0 ? (
        <EmptyState title="None was asked for.">
          Choose checkpoints above and press Evaluate: splits, seeds and sampling are yours.
        </EmptyState>
      ) : (
        <Table>
          <thead>
            <tr>
              <HeadCell>Run</HeadCell>
              <HeadCell>Status</HeadCell>
              <HeadCell>Checkpoints, steps</HeadCell>
              <HeadCell>Splits</HeadCell>
              <HeadCell>Decoding</HeadCell>
              <HeadCell>Seeds</HeadCell>
              <HeadCell numeric>Evaluations ended</HeadCell>
              <HeadCell numeric>Trajectories</HeadCell>
              <HeadCell numeric>Asked for</HeadCell>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.runId}>
                <Cell>
                  <Link href={`/runs/${encodeURIComponent(row.runId)}`} className="text-link">
                    {row.name}
                  </Link>
                </Cell>
                <Cell>
                  <RunStatusWord status={row.status} reason={row.reason} />
                </Cell>
                <Cell>{stepWords(row.steps)}</Cell>
                <Cell>{row.splits.map(({ split, tasks }) => `${split} ${tasks}`).join(', ')}</Cell>
                <Cell>{row.decodings.join(', ')}</Cell>
                <Cell>{row.seeds.join(', ')}</Cell>
                <Cell numeric>
                  {row.finished} of {row.evaluations}
                </Cell>
                <Cell numeric>
                  {formatCount(row.played)} of {formatCount(row.trajectories)}
                  <Meter fraction={row.played / row.trajectories} label={`Played of ${row.name}`} />
                </Cell>
                <Cell numeric>
                  <Ago at={row.createdAt} now={now} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function stepWords(steps: readonly number[]): string {
  const more = steps.length > NAMED_STEPS ? ` and ${steps.length - NAMED_STEPS} more` : '';
  return `${steps.slice(0, NAMED_STEPS).join(', ')}${more}`;
}
