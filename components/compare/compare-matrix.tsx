import { Link } from '@/components/ui/link';
import { formatPercent, MISSING } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { FEWEST_COMPARED } from '@/stats/comparison-verdict';
import { classNames } from '@/components/ui/class-names';
import { Panel } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import type { CompareCell, CompareRow, CompareTable } from './compare-table';
import { AgainstCells, CountNotes } from './compare-against';
import { INTERVAL_WORDS } from './compare-words';
import { IntervalWhisker, whiskerScale, WhiskerAxis, type WhiskerScale } from './interval-whisker';

const COLUMNS_A_SPLIT = 4;

/** The baseline is grey, the others have the categorical colours in their order. */
export function rowColor(table: Pick<CompareTable, 'rows' | 'baseline'>, row: CompareRow): string {
  const others = table.rows.filter(({ name }) => name !== table.baseline?.name);
  const place = others.indexOf(row);
  return place === -1 ? 'var(--c0)' : `var(--c${(place % 8) + 1})`;
}

/** Checkpoints by splits: success with its interval, the difference to the baseline and what may be said of it. */
export function CompareMatrix({
  table,
  selected,
  onSelect,
}: {
  table: CompareTable;
  selected: string | null;
  onSelect: (name: string) => void;
}) {
  const rates = table.rows.flatMap(({ cells }) => [...cells.values()].flatMap((cell) => cell?.rate ?? []));
  const scale = whiskerScale(rates);
  return (
    <Panel aria-label="Checkpoints by splits">
      <Table>
        <thead>
          <tr>
            <HeadCell rowSpan={2}>Checkpoint</HeadCell>
            {table.splits.map((split) => (
              <HeadCell
                key={split}
                colSpan={COLUMNS_A_SPLIT}
                className="border-l border-l-line-2 text-sm! font-semibold! text-ink!"
              >
                {splitTitle(table, split)}
              </HeadCell>
            ))}
          </tr>
          <tr>
            {table.splits.map((split) => (
              <SplitHead key={split} scale={scale} baseline={table.baseline?.title ?? 'baseline'} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <Row
              key={row.name}
              selected={row.name === selected}
              data-row={row.name}
              onClick={() => onSelect(row.name)}
              className="cursor-pointer"
            >
              <Cell className="whitespace-nowrap">
                <span
                  aria-hidden="true"
                  className="mr-1.75 inline-block size-2.25 rounded-full"
                  style={{ background: rowColor(table, row) }}
                />
                <Link
                  href={`/runs/${encodeURIComponent(row.checkpoint.runId)}`}
                  className="font-medium no-underline hover:underline"
                >
                  {row.title}
                </Link>
                <span className="block pl-4 text-xs text-ink-3">{rowNote(table, row)}</span>
              </Cell>
              {table.splits.map((split) => (
                <SplitCells
                  key={split}
                  table={table}

                  row={row}
                  split={split}
                  scale={scale}
                />
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function rowNote(
  { baseline }: CompareTable,
  { name, checkpoint: { kind, runId, seed } }: CompareRow,
): string {
  const words = [runId, kind === 'import' ? 'import' : `seed ${seed ?? MISSING}`];
  return [...(name === baseline?.name ? ['baseline'] : []), ...words].join(' · ');
}

function splitTitle(table: CompareTable, split: Split): string {
  const played = table.rows.flatMap(({ cells }) => cells.get(split)?.played ?? []);
  const counts = [...new Set(played.map(({ tasks }) => tasks))].sort((a, b) => a - b);
  const tasks = counts.length === 1 ? `n = ${counts[0]} tasks` : `n = ${counts[0]} to ${counts.at(-1)} tasks`;
  const methods = [...new Set(table.rows.flatMap(({ cells }) => cells.get(split)?.rate?.method ?? []))].map(
    (method) => INTERVAL_WORDS[method],
  );
  return `${split}, ${tasks}, 95% ${methods.join(' and ')}`;
}

/** Of a baseline that is named in the head of each of its columns. */
const LONGEST_TITLE = 16;

function SplitHead({ scale, baseline }: { scale: WhiskerScale; baseline: string }) {
  return (
    <>
      <HeadCell numeric className="min-w-32 border-l border-l-line-2">
        Success, k/n, %
      </HeadCell>
      <HeadCell>
        <span className="sr-only">Interval</span>
        <WhiskerAxis scale={scale} />
      </HeadCell>
      <HeadCell numeric title={`less ${baseline}`}>
        less {baseline.length > LONGEST_TITLE ? 'baseline' : baseline}, pp [95%]
      </HeadCell>
      <HeadCell>Verdict</HeadCell>
    </>
  );
}

function SplitCells({
  table,
  row,
  split,
  scale,
}: {
  table: CompareTable;
  row: CompareRow;
  split: Split;
  scale: WhiskerScale;
}) {
  const cell = row.cells.get(split);
  if (!cell)
    return (
      <Cell colSpan={COLUMNS_A_SPLIT} className="border-l border-l-line-2 text-ink-3">
        {split} not evaluated
      </Cell>
    );
  const base = table.baseline?.cells.get(split)?.rate?.fraction ?? null;
  return (
    <>
      <Cell numeric className="border-l border-l-line-2">
        <CellRate cell={cell} />
        <CountNotes played={cell.played} />
      </Cell>
      <Cell className="w-39 px-1">
        {cell.rate && (
          <IntervalWhisker rate={cell.rate} scale={scale} baseline={base} color={rowColor(table, row)} />
        )}
      </Cell>
      <AgainstCells against={cell.against} adjusted={table.adjusted} />
    </>
  );
}

function CellRate({ cell: { played, rate } }: { cell: CompareCell }) {
  if (!rate) return <span className="text-ink-3">{played.hidden.success_rate ?? MISSING}</span>;
  return (
    <span
      className={classNames('inline-flex flex-col items-end', played.tasks < FEWEST_COMPARED && 'text-ink-3')}
    >
      <span>
        <span className="text-ink-3">
          {played.k}/{played.n}
        </span>{' '}
        <b className="font-semibold">{formatPercent(rate.fraction)}</b>
      </span>
      <span className="text-xs text-ink-3">
        [{formatPercent(rate.low)}, {formatPercent(rate.high)}]
      </span>
    </span>
  );
}
