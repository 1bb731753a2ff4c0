import type { TrajectorySummary } from '@/contract/run-events';

/** Rows under one heading; `group` is null for rows that share no baseline. */
export interface TrajectoryGroup {
  key: string;
  group: number | null;
  step: number;
  goal: string;
  rows: TrajectorySummary[];
}

/**
 * Gathers the trajectories of each training group, in order of first appearance, samples ascending; the others follow
 * one another under no heading.
 */
export function groupTrajectories(rows: readonly TrajectorySummary[]): TrajectoryGroup[] {
  const groups = new Map<string, TrajectoryGroup>();
  for (const row of rows) {
    const group = row.phase === 'train' ? row.group : null;
    const key = group === null ? 'single' : `${row.step}/${group}/${row.taskId}`;
    const known = groups.get(key);
    if (known) known.rows.push(row);
    else groups.set(key, { key, group, step: row.step, goal: row.goal, rows: [row] });
  }
  for (const { group, rows: members } of groups.values())
    if (group !== null) members.sort((one, other) => one.sample - other.sample);
  return [...groups.values()];
}

export interface GroupRewards {
  successes: number;
  n: number;
  /** Mean of the rewards learned from: the baseline. */
  mean: number;
  lowest: number;
  highest: number;
  /** All rewards are equal: every advantage is 0 and nothing is learned from the group. */
  degenerate: boolean;
}

/** Rewards of a group; null where it is not whole (`groupSize` samples) or a reward is missing. */
export function groupRewards(rows: readonly TrajectorySummary[], groupSize: number): GroupRewards | null {
  const rewards = rows.flatMap((row) => row.shapedReward ?? []);
  if (rewards.length !== groupSize || rows.length !== groupSize) return null;
  const lowest = Math.min(...rewards);
  const highest = Math.max(...rewards);
  return {
    successes: rows.filter((row) => row.success).length,
    n: rows.length,
    mean: rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
    lowest,
    highest,
    degenerate: lowest === highest,
  };
}
