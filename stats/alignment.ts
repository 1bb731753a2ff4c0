import { actAlike, listMoves, sayAlike, startAlike, type Move, type PlayFacts } from './moves';

/** A row of two trajectories laid side by side: indices of turns, null where that side has none. */
export interface AlignedRow {
  a: number | null;
  b: number | null;
  /** `equal`: same action in the same state; `same_action`: in another state. */
  relation: 'equal' | 'same_action' | 'different' | 'only_a' | 'only_b';
}

export interface Alignment {
  rows: AlignedRow[];
  /** Row of the first turn whose action or state differs, or that one side no longer has; null where none does. */
  firstDivergence: number | null;
}

/**
 * Lays two trajectories of one task side by side by the longest common subsequence of turns that are equal in action and
 * state. Turns between two of them share rows in order, the longer side's rest stands alone. What counts as the same action
 * is `actAlike`'s.
 */
export function alignTurns(a: PlayFacts, b: PlayFacts): Alignment {
  const [movesA, movesB] = [listMoves(a), listMoves(b)];
  const rows: AlignedRow[] = [];
  let nextA = 0;
  let nextB = 0;
  for (const [matchA, matchB] of [...equalTurns(movesA, movesB), [movesA.length, movesB.length] as const]) {
    for (; nextA < matchA || nextB < matchB; nextA++, nextB++)
      rows.push(unequalRow(movesA, movesB, nextA < matchA ? nextA : null, nextB < matchB ? nextB : null));
    if (matchA < movesA.length && matchB < movesB.length)
      rows.push({ a: matchA, b: matchB, relation: 'equal' });
    nextA = matchA + 1;
    nextB = matchB + 1;
  }
  const first = rows.findIndex((row) => row.relation !== 'equal');
  return { rows, firstDivergence: first === -1 ? null : first };
}

function unequalRow(
  movesA: readonly Move[],
  movesB: readonly Move[],
  a: number | null,
  b: number | null,
): AlignedRow {
  if (a === null) return { a, b, relation: 'only_b' };
  if (b === null) return { a, b, relation: 'only_a' };
  const [one, other] = [movesA[a], movesB[b]];
  return { a, b, relation: one && other && sayAlike(one, other) ? 'same_action' : 'different' };
}

/** Rows at which the two sides part: the first of each stretch of unequal rows. */
export function listDivergences(rows: readonly AlignedRow[]): number[] {
  return rows.flatMap((row, index) =>
    row.relation !== 'equal' && (index === 0 || rows[index - 1]?.relation === 'equal') ? [index] : [],
  );
}

/** Pairs of indices, ascending on both sides. Equal beginnings match at once, so a prefix is never split. */
function equalTurns(a: readonly Move[], b: readonly Move[]): [number, number][] {
  const width = b.length + 1;
  /** At (i, j): length of the longest common subsequence of a[i..] and b[j..]. */
  const lengths = new Uint32Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  const isEqual = (i: number, j: number) => {
    const [one, other] = [a[i], b[j]];
    return one !== undefined && other !== undefined && startAlike(one, other) && actAlike(one, other);
  };
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = isEqual(i, j)
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (isEqual(i, j)) pairs.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
