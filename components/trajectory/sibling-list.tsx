import { Link } from '@/components/ui/link';
import type { TrajectoryDetail } from '@/contract/api';
import type { TrajectorySummary } from '@/contract/run-events';
import { formatReward, formatSigned } from '@/contract/format';
import { classNames } from '@/components/ui/class-names';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { OutcomeWord } from './outcome';

/** The trajectory among its siblings, greedy first, then by sample. */
export function withSiblings({ id, trajectory, siblings }: TrajectoryDetail): TrajectorySummary[] {
  const own: TrajectorySummary = { ...trajectory, id };
  return [own, ...siblings].sort(
    (one, other) => one.decoding.localeCompare(other.decoding) || one.sample - other.sample,
  );
}

/** `greedy`, or `sample 3`. */
export function sampleName({ decoding, sample }: Pick<TrajectorySummary, 'decoding' | 'sample'>): string {
  return decoding === 'greedy' ? 'greedy' : `sample ${sample}`;
}

/** Trajectories that share the group, or the task and step; the shown one is selected. */
export function SiblingList({
  detail,
  rows,
}: {
  detail: TrajectoryDetail;
  rows: readonly TrajectorySummary[];
}) {
  const { trajectory } = detail;
  const grouped = trajectory.phase === 'train' && trajectory.group !== null;
  const judged = rows.filter(({ success }) => success !== null);
  const successes = judged.filter(({ success }) => success).length;
  return (
    <Panel>
      <PanelHead
        title={
          grouped
            ? `Group ${trajectory.group} of step ${trajectory.step}`
            : `Same task, step ${trajectory.step}`
        }
      >
        <span className="text-sm text-ink-3">
          {successes}/{judged.length} success
          {judged.length < rows.length && `, ${rows.length - judged.length} not stated`}
        </span>
      </PanelHead>
      <Table>
        <thead>
          <tr>
            <HeadCell className="px-1.5!">Sample</HeadCell>
            <HeadCell numeric className="px-1.5!">
              Turns
            </HeadCell>
            <HeadCell numeric className="px-1.5!">
              Inv.
            </HeadCell>
            <HeadCell numeric className="px-1.5!">
              {grouped ? 'Adv.' : 'Reward'}
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} selected={row.id === detail.id}>
              <Cell className="px-1.5!">
                <Link
                  href={`/trajectories/${encodeURIComponent(row.id)}`}
                  aria-current={row.id === detail.id ? 'page' : undefined}
                  className="flex items-center gap-1.5 whitespace-nowrap no-underline"
                >
                  {sampleName(row)} <OutcomeWord trajectory={row} />
                </Link>
              </Cell>
              <Cell numeric className="px-1.5!">
                {row.turnsCount}
              </Cell>
              <Cell numeric className={classNames('px-1.5!', row.invalidActions > 0 && 'text-bad')}>
                {row.invalidActions}
              </Cell>
              <Cell numeric className="px-1.5!">
                {grouped ? formatSigned(row.advantage, 2) : formatReward(row.reward)}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {grouped ? (
        <p className="border-t border-line px-2.5 py-1.5 text-xs text-ink-3">
          Samples of one task share a baseline: the group’s mean reward.
        </p>
      ) : null}
    </Panel>
  );
}
