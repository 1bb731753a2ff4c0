import { describe, expect, it } from 'vitest';
import { alignTurns, listDivergences, type AlignedRow } from './alignment';
import type { TurnFacts } from './turn-marks';

const turnsOf = (text: string): TurnFacts[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((move) => {
      const [action = '', stateHash = null] = move.split('@');
      return {
        action,
        stateHash,
        formatOk: true,
        availableActions: [action],
        admissible: true,
        valid: true,
        picture: null,
        observation: '',
      };
    });
const align = (a: string, b: string) => alignTurns(playOf(a), playOf(b));
const playOf = (text: string) => ({ turns: turnsOf(text), finalPicture: null, finalObservation: null });

const SIGNS = { equal: '=', same_action: '~', different: '-', only_a: '-', only_b: '-' };

/** Rows as `a-b`, with `=` where they are equal, `~` where the action alone is, and a dot for a missing side. */
const write = (rows: readonly AlignedRow[]) =>
  rows.map((row) => `${row.a ?? '.'}${SIGNS[row.relation]}${row.b ?? '.'}`).join(' ');

describe('alignment of two trajectories', () => {
  it('finds no divergence between equal trajectories', () => {
    const { rows, firstDivergence } = align('left@1 go@2', 'left@1 go@2');
    expect(write(rows)).toBe('0=0 1=1');
    expect(firstDivergence).toBeNull();
  });

  it('parts at the first turn whose action differs', () => {
    const { rows, firstDivergence } = align('left@1 fly@2 fly@2', 'left@1 go@2');
    expect(write(rows)).toBe('0=0 1-1 2-.');
    expect(firstDivergence).toBe(1);
  });

  it('parts where the action is the same but the state is not', () => {
    expect(align('left@1 go@2', 'left@1 go@3').firstDivergence).toBe(1);
  });

  it('parts where one side ends and the other goes on', () => {
    const { rows, firstDivergence } = align('left@1', 'left@1 go@2');
    expect(write(rows)).toBe('0=0 .-1');
    expect(rows[1]?.relation).toBe('only_b');
    expect(firstDivergence).toBe(1);
  });

  it('joins the sides again where both come to the same move', () => {
    const { rows } = align('left@1 fly@2 check@2 go@2 open@3', 'left@1 go@2 open@3');
    expect(write(rows)).toBe('0=0 1-. 2-. 3=1 4=2');
  });

  it('shares rows in order where both sides wander between matches', () => {
    const { rows } = align('left@1 x@2 y@2 go@3', 'left@1 z@2 go@3 end@4');
    expect(write(rows)).toBe('0=0 1-1 2-. 3=2 .-3');
    expect(listDivergences(rows)).toEqual([1, 4]);
  });

  it('tells the same action in another state from another action', () => {
    expect(write(align('left@1 look@2 go@3 take@4', 'left@1 wait@2 go@5 take@6').rows)).toBe(
      '0=0 1-1 2~2 3~3',
    );
  });

  it('never lets a side wait for an action that is equal in words alone', () => {
    expect(write(align('left@1 fly@2 look@3 go@4', 'left@1 go@2').rows)).toBe('0=0 1-1 2-. 3-.');
  });

  it('holds every turn of both sides once, in order', () => {
    const { rows } = align('a@1 b@2 c@3 a@1 b@2', 'b@2 a@1 c@3 b@2 b@2 a@1');
    expect(rows.flatMap((row) => row.a ?? [])).toEqual([0, 1, 2, 3, 4]);
    expect(rows.flatMap((row) => row.b ?? [])).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('keeps A as A when the sides are swapped', () => {
    const there = align('left@1 fly@2', 'left@1 go@2 end@3');
    const back = align('left@1 go@2 end@3', 'left@1 fly@2');
    expect(back.firstDivergence).toBe(there.firstDivergence);
    expect(back.rows.map((row) => ({ ...row, a: row.b, b: row.a })).map(({ a, b }) => [a, b])).toEqual(
      there.rows.map(({ a, b }) => [a, b]),
    );
  });

  it('parts in the first row where one side has no turn at all', () => {
    expect(align('', 'left@1').firstDivergence).toBe(0);
    expect(align('', '').rows).toEqual([]);
  });
});
