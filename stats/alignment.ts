import { isSameMove, type TurnFacts } from './turn-marks';

/** A row of two trajectories laid side by side: indices of turns, null where that side has none. */
export interface AlignedRow {
  a: number | null;
  b: number | null;
  /** `equal`: same action in the same state. */
  relation: 'equal' | 'different' | 'only_a' | 'only_b';
}

export interface Alignment {
  rows: AlignedRow[];
  /** Row of the first turn whose action or state differs, or that one side no longer has; null where none does. */
  firstDivergence: number | null;
}

/**
 * Lays two trajectories of one task side by side by the longest common subsequence of (action, state). Turns
 * between two matches share rows in order, the longer side's rest stands alone.
 */
export function alignTurns(a: readonly TurnFacts[], b: readonly TurnFacts[]): Alignment {
  const rows: AlignedRow[] = [];
  let nextA = 0;
  let nextB = 0;
  for (const [matchA, matchB] of [...longestCommonSubsequence(a, b), [a.length, b.length] as const]) {
    for (; nextA < matchA || nextB < matchB; nextA++, nextB++) {
      const hasA = nextA < matchA;
      const hasB = nextB < matchB;
      rows.push({
        a: hasA ? nextA : null,
        b: hasB ? nextB : null,
        relation: hasA && hasB ? 'different' : hasA ? 'only_a' : 'only_b',
      });
    }
    if (matchA < a.length && matchB < b.length) rows.push({ a: matchA, b: matchB, relation: 'equal' });
    nextA = matchA + 1;
    nextB = matchB + 1;
  }
  const first = rows.findIndex((row) => row.relation !== 'equal');
  return { rows, firstDivergence: first === -1 ? null : first };
}

/** Rows at which the two sides part: the first of each stretch of unequal rows. */
export function listDivergences(rows: readonly AlignedRow[]): number[] {
  return rows.flatMap((row, index) =>
    row.relation !== 'equal' && (index === 0 || rows[index - 1]?.relation === 'equal') ? [index] : [],
  );
}

/** Pairs of indices, ascending on both sides. Equal beginnings match at once, so a prefix is never split. */
function longestCommonSubsequence(a: readonly TurnFacts[], b: readonly TurnFacts[]): [number, number][] {
  const width = b.length + 1;
  /** At (i, j): length of the longest common subsequence of a[i..] and b[j..]. */
  const lengths = new Uint32Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  const isMatch = (i: number, j: number) => {
    const turnA = a[i];
    const turnB = b[j];
    return turnA !== undefined && turnB !== undefined && isSameMove(turnA, turnB);
  };
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = isMatch(i, j)
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (isMatch(i, j)) pairs.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
