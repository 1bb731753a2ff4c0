import { formatReward } from '@/contract/format';
import { GroupRow } from '@/components/ui/table';
import { ITEM_HEIGHTS, type ListItem } from './trajectory-groups';

type Heading = Extract<ListItem, { kind: 'heading' }>;

/** Names a training group and says what its trajectories share. */
export function GroupHeading({
  heading,
  groupSize,
  columns,
}: {
  heading: Heading;
  groupSize: number | null;
  columns: number;
}) {
  return (
    <GroupRow columns={columns} style={{ height: ITEM_HEIGHTS.heading }}>
      Group {heading.group} of step {heading.step} · {groupWords(heading, groupSize)}
    </GroupRow>
  );
}

/**
 * `3/8 succeeded · baseline 0.31 · rewards -0.4 to 0.92 · 2 of 8 shown`. A group that is not recorded whole has no
 * baseline: `groupSize` is how many samples a whole one has, null where that is not known.
 */
function groupWords({ figures, shown }: Heading, groupSize: number | null): string {
  if (figures === null) return `${shown} shown`;
  const { successes, judged, n, rewarded, mean, lowest, highest } = figures;
  const partly = shown < n ? [`${shown} of ${n} shown`] : [];
  if (groupSize !== null && n !== groupSize)
    return [`${n} of ${groupSize} samples recorded, so no baseline`, ...partly].join(' · ');
  const unscored = judged < n ? `, ${n - judged} not stated` : '';
  const succeeded = `${successes}/${judged} succeeded${unscored}`;
  if (rewarded < n || lowest === null)
    return [succeeded, 'rewards learned from not recorded', ...partly].join(' · ');
  const spread =
    lowest === highest && n > 1
      ? `all rewards ${formatReward(lowest)}: no advantage, nothing learned`
      : `rewards ${formatReward(lowest)} to ${formatReward(highest)}`;
  return [succeeded, `baseline ${formatReward(mean)}`, spread, ...partly].join(' · ');
}
