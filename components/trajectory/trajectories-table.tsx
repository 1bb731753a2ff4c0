import type { MouseEvent } from 'react';
import { Link } from '@/components/ui/link';
import type { ListedTrajectory } from '@/contract/trajectory-list';
import { formatReward, formatSigned } from '@/contract/format';
import { SpacerRow } from '@/components/ui/spacer-row';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Tag } from '@/components/ui/tag';
import type { VirtualRows } from '@/components/ui/virtual-rows';
import { GroupHeading } from './group-heading';
import { HitRow } from './hit-row';
import { OutcomeWord } from './outcome';
import { PlainText } from './plain-text';
import { ITEM_HEIGHTS, type ListItem } from './trajectory-groups';

interface TrajectoriesTableProps {
  items: readonly ListItem[];
  rows: VirtualRows;
  /** Samples of a whole training group; null where the config does not say, or for all runs. */
  groupSize: number | null;
  /** The list is of all runs: each row names its own. */
  ofAllRuns: boolean;
  /** What was searched for; marked in the hits. */
  text: string;
  selectedId: string | null;
  onSelect: (id: string) => void;
}

export function TrajectoriesTable(props: TrajectoriesTableProps) {
  const { items, rows, groupSize, ofAllRuns, text, selectedId, onSelect } = props;
  const columns = ofAllRuns ? 13 : 12;
  return (
    <Table className="min-w-300 table-fixed" aria-rowcount={items.length}>
      <TrajectoriesHead ofAllRuns={ofAllRuns} />
      <tbody ref={rows.ref}>
        <SpacerRow height={rows.above} columns={columns} />
        {items.slice(rows.first, rows.end).map((item) => {
          switch (item.kind) {
            case 'heading':
              return <GroupHeading key={item.key} heading={item} groupSize={groupSize} columns={columns} />;
            case 'hit':
              return <HitRow key={item.key} row={item.row} text={text} columns={columns} />;
            case 'row':
              return (
                <TrajectoryRow
                  key={item.key}
                  row={item.row}
                  ofAllRuns={ofAllRuns}
                  selected={item.row.id === selectedId}
                  onSelect={() => onSelect(item.row.id)}
                />
              );
          }
        })}
        <SpacerRow height={rows.below} columns={columns} />
      </tbody>
    </Table>
  );
}

function TrajectoriesHead({ ofAllRuns }: { ofAllRuns: boolean }) {
  return (
    <thead>
      <tr>
        {ofAllRuns ? <HeadCell className="w-36">Run</HeadCell> : null}
        <HeadCell numeric className="w-14">
          Step
        </HeadCell>
        <HeadCell>Goal</HeadCell>
        <HeadCell>Task</HeadCell>
        <HeadCell className="w-32">Phase</HeadCell>
        <HeadCell className="w-20">Decoding</HeadCell>
        <HeadCell numeric className="w-16">
          Sample
        </HeadCell>
        <HeadCell className="w-28">Outcome</HeadCell>
        <HeadCell numeric className="w-32">
          Reward
        </HeadCell>
        <HeadCell numeric className="w-20">
          Advantage
        </HeadCell>
        <HeadCell numeric className="w-14">
          Turns
        </HeadCell>
        <HeadCell numeric className="w-14">
          Invalid
        </HeadCell>
        <HeadCell className="w-36">Flags</HeadCell>
      </tr>
    </thead>
  );
}

/** A link leaves the page: the row's selection, which would be written into this page's URL, would call it back. */
function stopThere(event: MouseEvent): void {
  event.stopPropagation();
}

function TrajectoryRow({
  row,
  ofAllRuns,
  selected,
  onSelect,
}: {
  row: ListedTrajectory;
  ofAllRuns: boolean;
  selected: boolean;
  onSelect: () => void;
}) {
  return (
    <Row selected={selected} onClick={onSelect} style={{ height: ITEM_HEIGHTS.row }}>
      {ofAllRuns ? (
        <Cell className="truncate">
          <Link
            href={`/runs/${encodeURIComponent(row.runId)}`}
            onClick={stopThere}
            title={`${row.runName}, ${row.runId}`}
            className="no-underline hover:underline"
          >
            {row.runName}
          </Link>
        </Cell>
      ) : null}
      <Cell numeric>{row.step}</Cell>
      <Cell className="truncate">
        <Link
          href={`/trajectories/${encodeURIComponent(row.id)}`}
          onClick={stopThere}
          title={row.goal}
          className="no-underline hover:underline"
        >
          <PlainText text={row.goal} />
        </Link>
      </Cell>
      <Cell className="truncate text-ink-2" title={row.taskId}>
        {row.taskType}
        <span className="text-ink-3"> · {row.taskId.split('/').slice(-2).join('/')}</span>
      </Cell>
      <Cell className="truncate text-ink-2">
        {row.phase === row.split ? row.phase : `${row.phase}, ${row.split}`}
      </Cell>
      <Cell className="text-ink-2">{row.decoding}</Cell>
      <Cell numeric>{row.sample}</Cell>
      <Cell>
        <div className="flex">
          <OutcomeWord trajectory={row} />
        </div>
      </Cell>
      <Cell
        numeric
        title={row.shapedReward === null ? undefined : 'environment reward, then the reward learned from'}
      >
        {formatReward(row.reward)}
        {row.shapedReward === null ? null : (
          <span className="text-ink-3"> → {formatReward(row.shapedReward)}</span>
        )}
      </Cell>
      <Cell numeric>{formatSigned(row.advantage, 2)}</Cell>
      <Cell numeric>{row.turnsCount}</Cell>
      <Cell numeric className={row.invalidActions > 0 ? 'text-bad' : undefined}>
        {row.invalidActions}
      </Cell>
      <Cell className="truncate" title={row.flags.join(', ')}>
        {row.flags.map((flag) => (
          <Tag key={flag}>{flag}</Tag>
        ))}
      </Cell>
    </Row>
  );
}
