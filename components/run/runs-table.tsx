'use client';
import { useRouter } from 'next/navigation';
import type { ListedRun, RunSort } from '@/contract/run-list';
import { OpenAlertsProvider } from '@/components/alerts/run-alert-words';
import { useNow } from '@/components/data/now';
import { SpacerRow } from '@/components/ui/spacer-row';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import type { VirtualRows } from '@/components/ui/virtual-rows';
import { RunCells } from './run-cells';

export const RUN_ROW_PX = 44;
/** Alerts are asked for as many rows at a time, not anew with each that scrolls into view. */
const ROWS_A_BLOCK = 50;
const COLUMNS = 14;

type Direction = 'asc' | 'desc';

interface RunsTableProps {
  runs: readonly ListedRun[];
  rows: VirtualRows;
  selectedId: string | null;
  /** Chosen to be compared. */
  markedIds: readonly string[];
  onMark: (id: string) => void;
  sort: RunSort;
  direction: Direction;
  onSort: (sort: RunSort, direction: Direction) => void;
}

/** The list: what is running, what broke, which is worth opening. */
export function RunsTable({
  runs,
  rows,
  selectedId,
  markedIds,
  onMark,
  sort,
  direction,
  onSort,
}: RunsTableProps) {
  const now = useNow();
  const router = useRouter();
  const block = runs.slice(
    Math.floor(rows.first / ROWS_A_BLOCK) * ROWS_A_BLOCK,
    Math.ceil(rows.end / ROWS_A_BLOCK) * ROWS_A_BLOCK,
  );
  return (
    <OpenAlertsProvider runIds={block.map(({ id }) => id)}>
      <Table className="min-w-300 table-fixed" aria-rowcount={runs.length}>
        <RunsHead sort={sort} direction={direction} onSort={onSort} />
        <tbody ref={rows.ref}>
          <SpacerRow height={rows.above} columns={COLUMNS} />
          {runs.slice(rows.first, rows.end).map((run) => (
            <Row
              key={run.id}
              selected={run.id === selectedId}
              data-run={run.id}
              style={{ height: RUN_ROW_PX }}
              className="cursor-pointer"
              onClick={(event) => {
                if (!(event.target instanceof Element && event.target.closest('a, input')))
                  router.push(`/runs/${run.id}`);
              }}
            >
              <Cell>
                <input
                  type="checkbox"
                  aria-label={`Select ${run.name}`}
                  checked={markedIds.includes(run.id)}
                  onChange={() => onMark(run.id)}
                  className="size-3.25 accent-ink"
                />
              </Cell>
              <RunCells run={run} now={now} />
            </Row>
          ))}
          <SpacerRow height={rows.below} columns={COLUMNS} />
        </tbody>
      </Table>
    </OpenAlertsProvider>
  );
}

function RunsHead({ sort, direction, onSort }: Pick<RunsTableProps, 'sort' | 'direction' | 'onSort'>) {
  const order = { sort, direction, onSort };
  return (
    <thead>
      <tr>
        <HeadCell className="w-8">
          <span className="sr-only">Select</span>
        </HeadCell>
        <HeadCell className="w-24">Status</HeadCell>
        <SortCell by="name" first="asc" {...order}>
          Run
        </SortCell>
        <HeadCell className="w-24">Recipe</HeadCell>
        <HeadCell className="w-22">Environment</HeadCell>
        <HeadCell numeric className="w-14">
          Seed
        </HeadCell>
        <SortCell by="step" className="w-22" {...order}>
          Step
        </SortCell>
        <SortCell
          by="reward"
          numeric
          className="w-20"
          title="Mean over the last step’s trajectories"
          {...order}
        >
          Reward,
          <br />
          last step
        </SortCell>
        <SortCell by="last" numeric className="w-42" {...order}>
          Last success, %<br />
          valid_seen, k/n, 95% Wilson
        </SortCell>
        <SortCell by="best" numeric className="w-42" {...order}>
          Best success, %<br />
          valid_seen, at step
        </SortCell>
        <HeadCell numeric className="w-20" title="Tokens of all attempts at the prices of the run’s config">
          Cost
        </HeadCell>
        <HeadCell className="w-24 max-[1400px]:hidden">Worker</HeadCell>
        <SortCell by="started" numeric className="w-18" {...order}>
          Started
        </SortCell>
        <SortCell by="duration" numeric className="w-18" title="Ordered by runs that have ended" {...order}>
          Duration
        </SortCell>
      </tr>
    </thead>
  );
}

/** A heading that orders the list by its column: one way, the other way, then the newest first again. */
function SortCell({
  by,
  first = 'desc',
  sort,
  direction,
  onSort,
  numeric = false,
  className,
  title,
  children,
}: Pick<RunsTableProps, 'sort' | 'direction' | 'onSort'> & {
  by: RunSort;
  /** The direction that the first click asks for. */
  first?: Direction;
  numeric?: boolean;
  className?: string;
  title?: string;
  children: React.ReactNode;
}) {
  const active = sort === by;
  const other: Direction = first === 'desc' ? 'asc' : 'desc';
  const next = () =>
    active ? (direction === first ? onSort(by, other) : onSort('newest', 'desc')) : onSort(by, first);
  return (
    <HeadCell
      numeric={numeric}
      className={className}
      aria-sort={active ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        onClick={next}
        title={title}
        className={`font-medium hover:text-ink ${numeric ? 'text-right' : 'text-left'} ${active ? 'text-ink' : ''}`}
      >
        {children}
        {active ? (direction === 'asc' ? ' ↑' : ' ↓') : ''}
      </button>
    </HeadCell>
  );
}
