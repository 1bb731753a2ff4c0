import { formatPercent } from '@/contract/format';
import { FEWEST_COMPARED } from '@/stats/comparison-verdict';
import { classNames } from '@/components/ui/class-names';
import { ExportMenu } from '@/components/export/export-menu';
import type { ExportTable } from '@/components/export/table-formats';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { againstWords, differenceWords, sharedWords, testWords } from './compare-words';
import type { TaskTypeCell, TaskTypes } from './task-types';

/** Success by task type, macro and micro named, each type against the baseline. */
export function TaskTypesPanel({ types, exported }: { types: TaskTypes; exported: () => ExportTable }) {
  const { table, split } = types;
  return (
    <Panel aria-label="By task type">
      <PanelHead
        title={`By task type, ${split}`}
        caption={`k/n, %, 95%; fewer than ${FEWEST_COMPARED} tasks are grey and not compared; ${types.adjusted ? 'p-values are Holm’s' : 'exploratory'}`}
      >
        {types.rows.length > 0 && <ExportMenu table={exported} />}
      </PanelHead>
      {types.rows.length === 0 ? (
        <EmptyState title="Not recorded.">
          Neither trajectories nor counts by task type are stored for {split}.
        </EmptyState>
      ) : (
        <Table>
          <thead>
            <tr>
              <HeadCell>Task type</HeadCell>
              {table.rows.map((row) => (
                <HeadCell key={row.name} numeric>
                  {row.title}
                  {row.name === table.baseline?.name && ' (baseline)'}
                </HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {types.rows.map(({ taskType, cells }) => (
              <Row key={taskType}>
                <Cell>{taskType}</Cell>
                {cells.map((cell, index) => (
                  <Cell key={table.rows[index]?.name} numeric>
                    {cell ? (
                      <TypeFigure cell={cell} adjusted={types.adjusted} />
                    ) : (
                      <span className="text-ink-3">{types.absent[index]}</span>
                    )}
                  </Cell>
                ))}
              </Row>
            ))}
            <Row className="bg-surface-2">
              <Cell>Macro, mean of the types</Cell>
              {types.macro.map((macro, index) => (
                <Cell key={table.rows[index]?.name} numeric>
                  {formatPercent(macro)}
                </Cell>
              ))}
            </Row>
            <Row className="bg-surface-2">
              <Cell>Micro, all tasks</Cell>
              {table.rows.map((row) => (
                <Cell key={row.name} numeric>
                  {formatPercent(row.cells.get(split)?.rate?.fraction)}
                </Cell>
              ))}
            </Row>
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function TypeFigure({
  cell: { k, n, tasks, rate, against },
  adjusted,
}: {
  cell: TaskTypeCell;
  adjusted: boolean;
}) {
  const shared = against && sharedWords(against.comparison);
  return (
    <span className={classNames('inline-flex flex-col items-end', tasks < FEWEST_COMPARED && 'text-ink-3')}>
      <span>
        {k}/{n} <b className="font-semibold">{formatPercent(rate?.fraction)}</b>{' '}
        <span className="text-xs text-ink-3">
          [{formatPercent(rate?.low)}, {formatPercent(rate?.high)}]
        </span>
      </span>
      {against && (
        <span className="text-xs text-ink-3">
          {differenceWords(against.comparison)}
          {shared && ` ${shared}`}, {againstWords(against)}
          {against.verdict.kind !== 'not_compared' && `, ${testWords(against, adjusted)}`}
        </span>
      )}
    </span>
  );
}
