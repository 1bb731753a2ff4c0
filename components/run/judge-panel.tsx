import { formatCount, formatDecimals, formatPercent } from '@/contract/format';
import { judgeWords, type JudgeTable, type OutcomeNoiseRow } from '@/contract/judge-table';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, GroupRow, HeadCell, Row, Table } from '@/components/ui/table';

const CAPTIONS: Record<JudgeTable['judge']['kind'], string> = {
  oracle: 'scores of an oracle, which knows the hidden state: not to be compared with a language model’s',
  llm: 'scores of a language model in [−1, 1]',
};
const NOISE_COLUMNS = 6;

/** What the judge of a run's turns said, beside their outcomes and lengths. */
export function JudgePanel({ tables }: { tables: readonly JudgeTable[] }) {
  const newest = tables[tables.length - 1];
  if (!newest) return null;
  const unscored = tables.reduce((sum, table) => sum + table.unscored, 0);
  return (
    <Panel aria-label="Judge and outcome">
      <PanelHead
        title={`Judge and outcome: ${judgeWords(newest.judge)}`}
        caption={`${CAPTIONS[newest.judge.kind]}; ${formatCount(unscored)} turns without a score`}
      />
      <NoiseTable tables={tables} newest={newest} />
      <LengthTable tables={tables} />
    </Panel>
  );
}

function stepsOf({ fromStep, toStep }: JudgeTable): string {
  return fromStep === toStep ? `step ${toStep}` : `steps ${fromStep} to ${toStep}`;
}

function NoiseTable({ tables, newest }: { tables: readonly JudgeTable[]; newest: JudgeTable }) {
  const byType = newest.rows.filter(({ taskType }) => taskType !== null);
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell>Scored turns</HeadCell>
          <HeadCell numeric>n</HeadCell>
          <HeadCell numeric>Failed, %</HeadCell>
          <HeadCell numeric>
            Of failed,
            <br />
            judge ≥ 0, %
          </HeadCell>
          <HeadCell numeric>
            Of failed,
            <br />
            judge ≥ 0.5, %
          </HeadCell>
          <HeadCell numeric>
            Of all, failed
            <br />
            and judge ≥ 0, %
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {tables.map((table) =>
          table.rows
            .filter(({ taskType }) => taskType === null)
            .map((row) => <NoiseRow key={table.toStep} title={stepsOf(table)} row={row} />),
        )}
        <GroupRow columns={NOISE_COLUMNS}>By task type, {stepsOf(newest)}</GroupRow>
        {byType.map((row) => (
          <NoiseRow key={row.taskType} title={row.taskType ?? ''} row={row} />
        ))}
      </tbody>
    </Table>
  );
}

function NoiseRow({ title, row }: { title: string; row: OutcomeNoiseRow }) {
  return (
    <Row>
      <Cell>{title}</Cell>
      <Cell numeric>{formatCount(row.n)}</Cell>
      <Cell numeric title={`${row.failed} of ${row.n} turns`}>
        {formatPercent(row.failRate)}
      </Cell>
      <Cell numeric title={`of ${row.failed} turns of failed trajectories`}>
        {formatPercent(row.soundGivenFailed)}
      </Cell>
      <Cell numeric title={`of ${row.failed} turns of failed trajectories`}>
        {formatPercent(row.goodGivenFailed)}
      </Cell>
      <Cell numeric title={`of ${row.n} turns`}>
        {formatPercent(row.soundAndFailed)}
      </Cell>
    </Row>
  );
}

const FIFTHS = ['Shortest fifth', '2nd', '3rd', '4th', 'Longest fifth'];

function LengthTable({ tables }: { tables: readonly JudgeTable[] }) {
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell>Mean score by reply length</HeadCell>
          {FIFTHS.map((title) => (
            <HeadCell key={title} numeric>
              {title}
            </HeadCell>
          ))}
          <HeadCell numeric>Spearman</HeadCell>
        </tr>
      </thead>
      <tbody>
        {tables.map((table) => (
          <Row key={table.toStep}>
            <Cell>{stepsOf(table)}</Cell>
            {FIFTHS.map((title, index) => {
              const fifth = table.quintiles[index];
              const about = fifth && `n ${fifth.n}, ${fifth.shortest} to ${fifth.longest} tokens`;
              return (
                <Cell key={title} numeric title={about}>
                  {formatDecimals(fifth?.score, 2)}
                </Cell>
              );
            })}
            <Cell numeric>{formatDecimals(table.lengthCorrelation, 2)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
