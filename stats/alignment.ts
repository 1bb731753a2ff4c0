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
 * Lays two trajectories of one task side by side: of all ways that keep the order of both, the one with the most turns that are
 * equal in action and state, and of those the one with the most that are equal in their action alone. Turns between two
 * such rows share rows in order, the longer side's rest stands alone. What counts as the same action is `actAlike`'s.
 */
export function alignTurns(a: PlayFacts, b: PlayFacts): Alignment {
  const [movesA, movesB] = [listMoves(a), listMoves(b)];
  const rows: AlignedRow[] = [];
  let nextA = 0;
  let nextB = 0;
  const fillUpTo = (endA: number, endB: number) => {
    for (; nextA < endA || nextB < endB; nextA++, nextB++) {
      const hasA = nextA < endA;
      const hasB = nextB < endB;
      rows.push({
        a: hasA ? nextA : null,
        b: hasB ? nextB : null,
        relation: hasA && hasB ? 'different' : hasA ? 'only_a' : 'only_b',
      });
    }
  };
  for (const match of bestMatches(movesA, movesB)) {
    fillUpTo(match.a, match.b);
    rows.push(match);
    nextA = match.a + 1;
    nextB = match.b + 1;
  }
  fillUpTo(movesA.length, movesB.length);
  const first = rows.findIndex((row) => row.relation !== 'equal');
  return { rows, firstDivergence: first === -1 ? null : first };
}

/** Rows at which the two sides part: the first of each stretch of unequal rows. */
export function listDivergences(rows: readonly AlignedRow[]): number[] {
  return rows.flatMap((row, index) =>
    row.relation !== 'equal' && (index === 0 || rows[index - 1]?.relation === 'equal') ? [index] : [],
  );
}

interface Match {
  a: number;
  b: number;
  relation: 'equal' | 'same_action';
}

/** Matched turns, ascending on both sides. Equal beginnings match at once, so a prefix is never split. */
function bestMatches(a: readonly Move[], b: readonly Move[]): Match[] {
  const width = b.length + 1;
  /** One equal turn outweighs all that share their action alone. */
  const equalWeight = Math.min(a.length, b.length) + 1;
  const weights = new Uint32Array(a.length * b.length);
  /** At (i, j): weight of the best matches of a[i..] and b[j..]. */
  const best = new Uint32Array((a.length + 1) * width);
  const bestAt = (i: number, j: number) => best[i * width + j] ?? 0;
  const weightAt = (i: number, j: number) => weights[i * b.length + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const weight = weigh(a[i], b[j], equalWeight);
      weights[i * b.length + j] = weight;
      const matched = weight === 0 ? 0 : weight + bestAt(i + 1, j + 1);
      best[i * width + j] = Math.max(matched, bestAt(i + 1, j), bestAt(i, j + 1));
    }
  }
  const matches: Match[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const weight = weightAt(i, j);
    if (weight > 0 && bestAt(i, j) === weight + bestAt(i + 1, j + 1))
      matches.push({ a: i++, b: j++, relation: weight === equalWeight ? 'equal' : 'same_action' });
    else if (bestAt(i + 1, j) >= bestAt(i, j + 1)) i++;
    else j++;
  }
  return matches;
}

function weigh(one: Move | undefined, other: Move | undefined, equalWeight: number): number {
  if (!one || !other) return 0;
  if (startAlike(one, other) && actAlike(one, other)) return equalWeight;
  return sayAlike(one, other) ? 1 : 0;
}
