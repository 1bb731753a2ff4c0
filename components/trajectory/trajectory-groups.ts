import type { GroupFigures, ListedTrajectory } from '@/contract/trajectory-list';

/** What stands in the list: the heading of a training group, a trajectory, or where the search was found in it. */
export type ListItem =
  | { kind: 'heading'; key: string; group: number; step: number; shown: number; figures: GroupFigures | null }
  | { kind: 'row'; key: string; row: ListedTrajectory }
  | { kind: 'hit'; key: string; row: ListedTrajectory };

/** Heights in px. */
export const ITEM_HEIGHTS: Record<ListItem['kind'], number> = { heading: 24, row: 30, hit: 26 };

const groupKey = (of: Pick<GroupFigures, 'runId' | 'attempt' | 'step'>, group: number) =>
  `${of.attempt}/${of.step}/${group}/${of.runId}`;

/**
 * The list in its order, each trajectory followed by its hit. With `gather` the trajectories of a training group, which
 * lie near one another where the newest come first, stand under one heading, samples ascending.
 */
export function listItems(
  rows: readonly ListedTrajectory[],
  figures: readonly GroupFigures[],
  gather: boolean,
): ListItem[] {
  if (!gather) return rows.flatMap(withHit);
  const figuresOf = new Map(figures.map((each) => [groupKey(each, each.group), each]));
  const blocks = new Map<string, ListedTrajectory[]>();
  for (const row of rows) {
    const key = row.phase === 'train' && row.group !== null ? groupKey(row, row.group) : `single ${row.id}`;
    const block = blocks.get(key);
    if (block) block.push(row);
    else blocks.set(key, [row]);
  }
  return [...blocks].flatMap(([key, members]): ListItem[] => {
    const [first] = members;
    if (!first || first.phase !== 'train' || first.group === null) return members.flatMap(withHit);
    members.sort((one, other) => one.sample - other.sample);
    const { group, step } = first;
    const known = figuresOf.get(key) ?? null;
    return [
      { kind: 'heading', key, group, step, shown: members.length, figures: known },
      ...members.flatMap(withHit),
    ];
  });
}

function withHit(row: ListedTrajectory): ListItem[] {
  const item: ListItem = { kind: 'row', key: row.id, row };
  return row.hit ? [item, { kind: 'hit', key: `hit ${row.id}`, row }] : [item];
}
