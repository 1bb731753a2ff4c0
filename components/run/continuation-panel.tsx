import { formatCount, formatPercent } from '@/contract/format';
import type { ContinuationRow, ContinuationTable } from '@/contract/continuation-table';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { Cell, GroupRow, HeadCell, Row, Table } from '@/components/ui/table';

const COLUMNS = 3;

/** How well the run's teacher goes on from the beginnings of its student's replies, by depth and by length. */
export function ContinuationPanel({ tables }: { tables: readonly ContinuationTable[] }) {
  const newest = tables[tables.length - 1];
  if (!newest) return null;
  const byLength = newest.rows.filter((row) => !isOverAll(row));
  return (
    <Panel aria-label="Teacher’s continuations">
      <PanelHead
        title={`Continued by the teacher: ${newest.teacher}`}
        caption="replies whose whole text keeps the format where the teacher goes on from their beginning"
      />
      <Table>
        <thead>
          <tr>
            <HeadCell>Given of the student’s reply</HeadCell>
            <HeadCell numeric>Reply tokens</HeadCell>
            <HeadCell numeric>Format, k/n, %, 95% Wilson</HeadCell>
          </tr>
        </thead>
        <tbody>
          {tables.map((table) => (
            <TableRows key={table.step} title={`Step ${table.step}`} rows={table.rows.filter(isOverAll)} />
          ))}
          {byLength.length > 0 && (
            <TableRows title={`By reply length, step ${newest.step}`} rows={byLength} />
          )}
        </tbody>
      </Table>
    </Panel>
  );
}

function isOverAll({ fromTokens, toTokens }: ContinuationRow): boolean {
  return fromTokens === 0 && toTokens === null;
}

function TableRows({ title, rows }: { title: string; rows: readonly ContinuationRow[] }) {
  return (
    <>
      <GroupRow columns={COLUMNS}>{title}</GroupRow>
      {rows.map((row) => (
        <Row key={`${row.depth}/${row.fromTokens}/${row.toTokens}`}>
          <Cell>{row.depth === 1 ? 'all, its own reply' : `${formatPercent(row.depth)} %`}</Cell>
          <Cell numeric>{lengthWords(row)}</Cell>
          <Cell numeric>
            <Rate successes={row.wellFormed} n={row.n} />
          </Cell>
        </Row>
      ))}
    </>
  );
}

function lengthWords(row: ContinuationRow): string {
  if (isOverAll(row)) return 'any';
  const { fromTokens, toTokens } = row;
  return toTokens === null
    ? `≥ ${formatCount(fromTokens)}`
    : `${formatCount(fromTokens)} to ${formatCount(toTokens - 1)}`;
}
