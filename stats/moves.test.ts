import { describe, expect, it } from 'vitest';
import { actAlike, listMoves, startAlike, type Move } from './moves';

interface Shown {
  action: string;
  /** State before and after, by hash; told: by observation. */
  states?: [string, string];
  told?: [string, string];
  refused?: boolean;
}

function moveOf({ action, states, told, refused = false }: Shown): Move {
  const turn = (at: 0 | 1) => ({
    action,
    formatOk: true,
    availableActions: [],
    admissible: true,
    valid: !refused,
    stateHash: states?.[at] ?? null,
    picture: null,
    observation: told?.[at] ?? '',
  });
  const [move] = listMoves({ turns: [turn(0), turn(1)], finalPicture: null, finalObservation: null });
  if (!move) throw new Error('a play of two turns has a first move');
  return move;
}
const alike = (one: Shown, other: Shown) => actAlike(moveOf(one), moveOf(other));

describe('two actions in one state', () => {
  it('are the same in other words where they led to the same state', () => {
    expect(
      alike({ action: 'go to key 1', states: ['s', 't'] }, { action: 'Goto the key 1', states: ['s', 't'] }),
    ).toBe(true);
  });

  it('are not the same where the environment took one wording and refused the other', () => {
    const taken: Shown = { action: 'pickup key 1', states: ['s', 't'] };
    expect(alike(taken, { action: 'pick up key 1', states: ['s', 's'], refused: true })).toBe(false);
    expect(
      alike(
        { action: 'go to key 1', told: ['a room', 'a key'] },
        { action: 'goto key 1', told: ['a room', 'Nothing happens.'] },
      ),
    ).toBe(false);
  });

  it('are the same where both wordings were refused', () => {
    expect(
      alike(
        { action: 'pickup key 1', states: ['s', 's'], refused: true },
        { action: 'pick up key 1', states: ['s', 's'], refused: true },
      ),
    ).toBe(true);
  });

  it('are told apart by the refusal alone where nothing else is known', () => {
    const taken: Shown = { action: 'pickup key 1' };
    expect(alike(taken, { action: 'pick up key 1', refused: true })).toBe(false);
    expect(alike(taken, { action: 'pick up key 1' })).toBe(true);
  });

  it('are the same in other verbs where the record shows the same change of the same things', () => {
    const put: Shown = { action: 'put mug 1 in shelf 2', states: ['s', 't'] };
    expect(alike(put, { action: 'move mug 1 to shelf 2', states: ['s', 't'] })).toBe(true);
    expect(alike(put, { action: 'move mug 2 to shelf 2', states: ['s', 't'] })).toBe(false);
    expect(
      alike({ ...put, states: ['s', 's'] }, { action: 'move mug 1 to shelf 2', states: ['s', 's'] }),
    ).toBe(false);
    expect(alike({ action: 'go forward', states: ['s', 't'] }, { action: 'jump', states: ['s', 't'] })).toBe(
      false,
    );
  });
});

describe('the states that two moves start from', () => {
  it('are those of one beginning where one observation holds the other', () => {
    const bare = moveOf({ action: 'look', told: ['You see a ball.', 'x'] });
    const withGoal = moveOf({ action: 'look', told: ['Your goal: find a ball.\nYou  see a ball.', 'x'] });
    expect(startAlike(bare, withGoal)).toBe(true);
    expect(startAlike({ ...bare, begins: false }, withGoal)).toBe(false);
  });

  it('differ from the first turn on where the environment recorded other states', () => {
    expect(
      startAlike(
        moveOf({ action: 'look', states: ['s', 's'] }),
        moveOf({ action: 'look', states: ['t', 't'] }),
      ),
    ).toBe(false);
  });

  it('may be the same where nothing is known', () => {
    expect(startAlike(moveOf({ action: 'look' }), moveOf({ action: 'look', states: ['s', 's'] }))).toBe(true);
  });
});
