import type { RescoredTrajectories, RescoredRewards, RewardFigures } from '@/contract/rewards';
import { formatCount, formatPercent, formatReward, formatSigned, MISSING } from '@/contract/format';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';

/** Recorded and new rewards by step, all steps first. */
export function RewardsTable({
  rewards: { total, steps },
  onStep,
}: {
  rewards: RescoredRewards;
  onStep: (step: number) => void;
}) {
  return (
    <Panel>
      <Table>
        <thead>
          <tr>
            <HeadCell>Step</HeadCell>
            <HeadCell numeric>n</HeadCell>
            <HeadCell numeric>Left out: errors</HeadCell>
            <HeadCell numeric>Mean, recorded</HeadCell>
            <HeadCell numeric>Mean, new</HeadCell>
            <HeadCell numeric>Difference</HeadCell>
            <HeadCell numeric>Groups without variance, recorded, k/n, %</HeadCell>
            <HeadCell numeric>Groups without variance, new, k/n, %</HeadCell>
          </tr>
        </thead>
        <tbody>
          <RescoredRow name="all" rescored={total} />
          {steps.map((rescored) => (
            <RescoredRow
              key={rescored.step}
              name={
                <Button size="small" variant="quiet" onClick={() => onStep(rescored.step)}>
                  {rescored.step}
                </Button>
              }
              rescored={rescored}
            />
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function RescoredRow({ name, rescored }: { name: React.ReactNode; rescored: RescoredTrajectories }) {
  const { n, errors, unscored, old, new: anew } = rescored;
  const both = old.mean !== null && anew.mean !== null;
  return (
    <Row>
      <Cell>{name}</Cell>
      <Cell numeric>{formatCount(n)}</Cell>
      <Cell numeric>
        {formatCount(errors)}
        {unscored > 0 && <span className="text-xs text-ink-3"> and {formatCount(unscored)} not stated</span>}
      </Cell>
      <Cell numeric>
        {formatReward(old.mean)}
        {old.n < n && <span className="text-xs text-ink-3"> of {formatCount(old.n)}</span>}
      </Cell>
      <Cell numeric>
        {formatReward(anew.mean)}
        {anew.n < n && <span className="text-xs text-ink-3"> of {formatCount(anew.n)}</span>}
      </Cell>
      <Cell numeric>{both ? formatSigned((anew.mean ?? 0) - (old.mean ?? 0), 3) : MISSING}</Cell>
      <Cell numeric>{degenerateWords(old)}</Cell>
      <Cell numeric>{degenerateWords(anew)}</Cell>
    </Row>
  );
}

/** `3/8 37.5`: groups whose rewards are all equal teach nothing. */
function degenerateWords({ groups, degenerateGroups }: RewardFigures): string {
  return groups === 0 ? MISSING : `${degenerateGroups}/${groups} ${formatPercent(degenerateGroups / groups)}`;
}
