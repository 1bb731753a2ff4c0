import type { NoiseFloor } from '@/contract/pair';
import { actAlike, listMoves, startAlike, type Move, type PlayFacts } from './moves';

/**
 * The turn, from 0, at which two plays of a task part: the first whose action or state differs, or that one of them no longer
 * has. Null where they never do.
 */
export function partingTurn(a: PlayFacts, b: PlayFacts): number | null {
  return partingMove(listMoves(a), listMoves(b));
}

function partingMove(a: readonly Move[], b: readonly Move[]): number | null {
  for (let turn = 0; turn < Math.max(a.length, b.length); turn++) {
    const [one, other] = [a[turn], b[turn]];
    if (!one || !other || !startAlike(one, other) || !actAlike(one, other)) return turn;
  }
  return null;
}

/**
 * How early two samples of one checkpoint part on a task, over all pairs of samples; null with fewer than two. A pair that
 * never parts counts as later than any that does, so the median of pairs that mostly never part is none. Of an even number of
 * pairs the later of the two middle ones counts: the floor is stated no lower than it is.
 */
export function sampleDivergence(samples: readonly PlayFacts[]): NoiseFloor | null {
  if (samples.length < 2) return null;
  const moves = samples.map(listMoves);
  const partings = moves.flatMap((one, index) =>
    moves.slice(index + 1).map((other) => partingMove(one, other) ?? Infinity),
  );
  partings.sort((one, other) => one - other);
  const median = partings[Math.floor(partings.length / 2)] ?? Infinity;
  return {
    samples: samples.length,
    pairs: partings.length,
    neverPart: partings.filter((turn) => turn === Infinity).length,
    medianTurn: Number.isFinite(median) ? median + 1 : null,
  };
}
