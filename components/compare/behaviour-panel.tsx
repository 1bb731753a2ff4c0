import { formatDecimals, formatPercent } from '@/contract/format';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import type { CompareTable } from './compare-table';
import type { Behaviour, Played } from './played';

/** What stands beside success: invalid actions, turns and length, by checkpoint and split. */
export function BehaviourPanel({
  table,
  behaviours,
}: {
  table: CompareTable;
  /** Null while they are worked out. */
  behaviours: ReadonlyMap<Played, Behaviour> | null;
}) {
  return (
    <Panel aria-label="Beside success">
      <PanelHead
        title="Beside success"
        caption="invalid actions, % of turns, 95% bootstrap clustered by task; turns and reply tokens a trajectory, means"
      />
      <Table>
        <thead>
          <tr>
            <HeadCell>Checkpoint</HeadCell>
            {table.splits.map((split) => (
              <SplitHeads key={split} split={split} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <Row key={row.name}>
              <Cell className="whitespace-nowrap">{row.title}</Cell>
              {table.splits.map((split) => {
                const cell = row.cells.get(split);
                return cell ? (
                  <BehaviourCells key={split} behaviour={behaviours?.get(cell.played)} />
                ) : (
                  <Cell key={split} colSpan={3} className="border-l border-l-line-2 text-ink-3">
                    {split} not evaluated
                  </Cell>
                );
              })}
            </Row>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function SplitHeads({ split }: { split: string }) {
  return (
    <>
      <HeadCell numeric className="border-l border-l-line-2">
        {split}: invalid, % of turns
      </HeadCell>
      <HeadCell numeric>Turns</HeadCell>
      <HeadCell numeric>Reply tokens</HeadCell>
    </>
  );
}

function BehaviourCells({ behaviour }: { behaviour: Behaviour | undefined }) {
  if (!behaviour)
    return (
      <Cell colSpan={3} className="border-l border-l-line-2 text-ink-3">
        working out
      </Cell>
    );
  const { invalid, turnsMean, replyTokensMean } = behaviour;
  return (
    <>
      <Cell numeric className="border-l border-l-line-2">
        {formatPercent(invalid?.rate)}{' '}
        {invalid && (
          <span className="text-xs text-ink-3">
            {invalid.low === null
              ? 'tasks not stored'
              : `[${formatPercent(invalid.low)}, ${formatPercent(invalid.high)}]`}
          </span>
        )}
      </Cell>
      <Cell numeric>{formatDecimals(turnsMean, 1)}</Cell>
      <Cell numeric>{formatDecimals(replyTokensMean, 0)}</Cell>
    </>
  );
}
