import type { ReactNode } from 'react';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import type { ShiftRow } from './behaviour-shift';

/** How each behaviour shifted, with n, interval, method and verdict. */
export function BehaviourTable({
  rows,
  a,
  b,
  unpaired,
  errored,
  children,
}: {
  rows: readonly ShiftRow[];
  a: number;
  b: number;
  /** Tasks played at one step only, which no row counts. */
  unpaired: number;
  /** Trajectories that an error ended, of all `n` that the rows count. */
  errored: { a: number; b: number; n: number };
  children: ReactNode;
}) {
  return (
    <Panel>
      <PanelHead title="Behaviour" caption="exploratory: each row on its own, not adjusted for their number">
        {children}
      </PanelHead>
      {rows.length === 0 ? (
        <p className="p-2.5 text-sm text-ink-2">
          No task was played at both steps, so nothing can be compared.
        </p>
      ) : (
        <Table>
          <thead>
            <tr>
              <HeadCell>Behaviour</HeadCell>
              <HeadCell numeric>Tasks</HeadCell>
              <HeadCell numeric>
                <span className="text-a">A</span> step {a}
              </HeadCell>
              <HeadCell numeric>
                <span className="text-b">B</span> step {b}
              </HeadCell>
              <HeadCell numeric>B less A [95%]</HeadCell>
              <HeadCell>Verdict</HeadCell>
              <HeadCell>Method</HeadCell>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.name}>
                <Cell>
                  {row.name}
                  <span className="block text-xs text-ink-3">{row.unit}</span>
                </Cell>
                <Cell numeric>{row.n}</Cell>
                <Cell numeric>{row.a}</Cell>
                <Cell numeric>{row.b}</Cell>
                <Cell numeric>{row.difference}</Cell>
                <Cell>{row.verdict}</Cell>
                <Cell className="text-xs text-ink-3">{row.method}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {unpaired > 0 ? (
        <p className="border-t border-line px-2.5 py-1.5 text-xs text-ink-3">
          {unpaired} {unpaired === 1 ? 'task was' : 'tasks were'} played at one step only and{' '}
          {unpaired === 1 ? 'is' : 'are'} in no row.
        </p>
      ) : null}
      {errored.a + errored.b > 0 ? (
        <p className="border-t border-line px-2.5 py-1.5 text-xs text-warn">
          {errored.a + errored.b} of {errored.n} trajectories were ended by an error, {errored.a} of A and{' '}
          {errored.b} of B: they count as not won, and with the turns that they had.
        </p>
      ) : null}
    </Panel>
  );
}
