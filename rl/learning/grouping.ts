/** Indices of each group's members, groups and members in order of first appearance. */
export function indicesByGroup<Id>(ids: readonly Id[]): Map<Id, number[]> {
  const groups = new Map<Id, number[]>();
  ids.forEach((id, index) => {
    const members = groups.get(id);
    if (members) members.push(index);
    else groups.set(id, [index]);
  });
  return groups;
}

/** How many groups have a size. */
export interface GroupSizeCount {
  size: number;
  groups: number;
}

/**
 * Group sizes from small to large. A group of one has no baseline, so a large count at size 1 says that most advantages are
 * raw rewards (or 0), as happens in per-step groups once rollouts of different lengths end.
 */
export function groupSizeHistogram<Id>(ids: readonly Id[]): GroupSizeCount[] {
  const counts = new Map<number, number>();
  for (const members of indicesByGroup(ids).values())
    counts.set(members.length, (counts.get(members.length) ?? 0) + 1);
  return [...counts].map(([size, groups]) => ({ size, groups })).sort((a, b) => a.size - b.size);
}
