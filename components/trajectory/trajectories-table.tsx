import Link from 'next/link';
import type { TrajectorySummary } from '@/contract/run-events';
import { formatReward, formatSigned } from '@/contract/format';
import { Cell, GroupRow, HeadCell, Row, Table } from '@/components/ui/table';
import { Tag } from '@/components/ui/tag';
import { keepInView } from './keep-in-view';
import { OutcomeWord } from './outcome';
import { PlainText } from './plain-text';
import { groupRewards, type TrajectoryGroup } from './trajectory-groups';

const COLUMNS = 12;

interface TrajectoriesTableProps {
  groups: readonly TrajectoryGroup[];
  /** Samples of a whole training group; null where the config does not say. */
  groupSize: number | null;
  selectedId: string | null;
  onSelect: (id: string) => void;
}

export function TrajectoriesTable({ groups, groupSize, selectedId, onSelect }: TrajectoriesTableProps) {
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell numeric>Step</HeadCell>
          <HeadCell>Goal</HeadCell>
          <HeadCell>Task</HeadCell>
          <HeadCell>Phase</HeadCell>
          <HeadCell>Decoding</HeadCell>
          <HeadCell numeric>Sample</HeadCell>
          <HeadCell>Outcome</HeadCell>
          <HeadCell numeric>Reward</HeadCell>
          <HeadCell numeric>Advantage</HeadCell>
          <HeadCell numeric>Turns</HeadCell>
          <HeadCell numeric>Invalid</HeadCell>
          <HeadCell>Flags</HeadCell>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.key}>
          {group.group === null ? null : (
            <GroupRow columns={COLUMNS}>
              Group {group.group} of step {group.step} · {groupWords(group, groupSize)}
            </GroupRow>
          )}
          {group.rows.map((row) => (
            <TrajectoryRow
              key={row.id}
              row={row}
              selected={row.id === selectedId}
              onSelect={() => onSelect(row.id)}
            />
          ))}
        </tbody>
      ))}
    </Table>
  );
}

/** `3/8 succeeded · baseline 0.31 · rewards -0.4 to 0.92`; of a part of a group only how much is shown. */
function groupWords({ rows }: TrajectoryGroup, groupSize: number | null): string {
  const rewards = groupSize === null ? null : groupRewards(rows, groupSize);
  if (!rewards) return `${rows.length} of ${groupSize ?? 'n/a'} samples shown, so no baseline`;
  const { successes, n, mean, lowest, highest, degenerate } = rewards;
  const spread = degenerate
    ? `all rewards ${formatReward(lowest)}: no advantage, nothing learned`
    : `rewards ${formatReward(lowest)} to ${formatReward(highest)}`;
  return `${successes}/${n} succeeded · baseline ${formatReward(mean)} · ${spread}`;
}

function TrajectoryRow({
  row,
  selected,
  onSelect,
}: {
  row: TrajectorySummary;
  selected: boolean;
  onSelect: () => void;
}) {
  return (
    <Row
      selected={selected}
      onClick={onSelect}
      className="scroll-my-14"
      ref={selected ? keepInView : undefined}
    >
      <Cell numeric>{row.step}</Cell>
      <Cell>
        <Link href={`/trajectories/${encodeURIComponent(row.id)}`} className="no-underline hover:underline">
          <PlainText text={row.goal} />
        </Link>
      </Cell>
      <Cell className="text-ink-2">
        <span title={row.taskId}>{row.taskType}</span>
        <span className="text-ink-3"> · {row.taskId.split('/').slice(-2).join('/')}</span>
      </Cell>
      <Cell className="whitespace-nowrap text-ink-2">
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
      <Cell>
        {row.flags.map((flag) => (
          <Tag key={flag}>{flag}</Tag>
        ))}
      </Cell>
    </Row>
  );
}
