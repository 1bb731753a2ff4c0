import { describe, expect, it } from 'vitest';
import { alignTurns, listDivergences } from './alignment';
import labelled from './fixtures/labelled-pairs.json';
import type { PlayFacts } from './moves';

interface LabelledTurn {
  action: string;
  refused?: boolean;
  state?: string;
  picture?: string;
  observation?: string;
}
interface LabelledSide {
  end: { picture?: string; observation?: string };
  turns: LabelledTurn[];
}
/** Turns from 1; null for a side that has ended. */
interface Parting {
  a: number | null;
  b: number | null;
}

function playOf({ turns, end }: LabelledSide): PlayFacts {
  return {
    turns: turns.map(({ action, refused = false, state, picture, observation }) => ({
      action,
      formatOk: true,
      availableActions: [],
      admissible: !refused,
      valid: !refused,
      stateHash: state ?? null,
      picture: picture ?? null,
      observation: observation ?? '',
    })),
    finalPicture: end.picture ?? null,
    finalObservation: end.observation ?? null,
  };
}

/** Where the sides stand at each divergence: the turn a side plays there, or plays next. */
function partingsOf(a: LabelledSide, b: LabelledSide): Parting[] {
  const { rows } = alignTurns(playOf(a), playOf(b));
  const standing = (row: number, side: 'a' | 'b') => {
    const turn = rows.slice(0, row).filter((earlier) => earlier[side] !== null).length + 1;
    return turn > (side === 'a' ? a : b).turns.length ? null : turn;
  };
  return listDivergences(rows).map((row) => ({ a: standing(row, 'a'), b: standing(row, 'b') }));
}

const swap = (parting: Parting | null | undefined) => parting && { a: parting.b, b: parting.a };

describe('hand-labelled pairs', () => {
  it.each(labelled.pairs.map((pair) => [`${pair.kind}: ${pair.name}`, pair] as const))(
    'part where a reader says so, whichever side is A: %s',
    (_name, { a, b, first, ...rest }) => {
      const partings = partingsOf(a, b);
      expect(partings[0] ?? null).toEqual(first);
      expect(partingsOf(b, a)[0] ?? null).toEqual(swap(first));
      if ('next' in rest && rest.next !== undefined) expect(partings[1] ?? null).toEqual(rest.next);
    },
  );

  it.each(['words', 'order', 'loop', 'length'])('are at least five of kind %s', (kind) => {
    expect(labelled.pairs.filter((pair) => pair.kind === kind).length).toBeGreaterThanOrEqual(5);
  });
});
