import { Link } from '@/components/ui/link';
import type { RescoredTrajectory } from '@/contract/rewards';
import { formatReward, MISSING } from '@/contract/format';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';

/** The trajectories of one step, each under both formulas. */
export function RescoredList({
  step,
  trajectories,
}: {
  step: number;
  trajectories: readonly RescoredTrajectory[];
}) {
  return (
    <Panel>
      <PanelHead title={`Trajectories of step ${step}`} caption={`${trajectories.length} stored`} />
      <Table>
        <thead>
          <tr>
            <HeadCell numeric>Group</HeadCell>
            <HeadCell numeric>Sample</HeadCell>
            <HeadCell>Task</HeadCell>
            <HeadCell>Won</HeadCell>
            <HeadCell numeric>Environment’s reward</HeadCell>
            <HeadCell numeric>Recorded</HeadCell>
            <HeadCell numeric>New</HeadCell>
          </tr>
        </thead>
        <tbody>
          {trajectories.map(({ id, group, sample, taskId, success, reward, old, new: anew }) => (
            <Row key={id}>
              <Cell numeric>{group ?? MISSING}</Cell>
              <Cell numeric>{sample}</Cell>
              <Cell>
                <Link href={`/trajectories/${id}`}>{taskId}</Link>
              </Cell>
              <Cell>{success === null ? MISSING : success ? 'won' : 'not won'}</Cell>
              <Cell numeric>{formatReward(reward)}</Cell>
              <Cell numeric>{formatReward(old)}</Cell>
              <Cell numeric>{formatReward(anew)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
