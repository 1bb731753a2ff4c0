/**
 * Where a reader stands in a trajectory: index of a turn, or the count of turns for the final state. In the URL `t`
 * counts turns from 1, as the screen does, and the final state is `end`.
 */
export function readPosition(t: string | null, turnsCount: number): number {
  if (t === 'end') return turnsCount;
  const turn = t !== null && /^\d{1,6}$/.test(t) ? Number(t) : 1;
  return Math.min(Math.max(turn - 1, 0), turnsCount);
}

export function writePosition(position: number, turnsCount: number): string {
  return position >= turnsCount ? 'end' : String(position + 1);
}

/** The next index after `position` for which `isStop` holds, from the beginning again past the end; else null. */
export function nextStop(count: number, position: number, isStop: (index: number) => boolean): number | null {
  for (let offset = 1; offset <= count; offset++) {
    const index = (position + offset) % count;
    if (isStop(index)) return index;
  }
  return null;
}
