import { describe, expect, it } from 'vitest';
import { findLoops, isMarked, markTurns, type TurnFacts } from './turn-marks';

/**
 * A turn from `action@state`. Before it `!`: not in the list; `?`: the reply held no action; `~`: no actions are
 * listed; `~!`: nor did the environment take it.
 */
function turnOf(text: string): TurnFacts {
  const [move = '', stateHash = null] = text.split('@');
  return {
    action: move.replace(/^[!?~]+/, ''),
    formatOk: !move.startsWith('?'),
    availableActions: move.startsWith('~') ? [] : ['left', 'right'],
    admissible: !/^[!?~]/.test(move),
    valid: !move.includes('!'),
    stateHash,
    picture: null,
    observation: '',
  };
}
const turnsOf = (text: string) => text.split(' ').map(turnOf);
const verdicts = (text: string) => markTurns(turnsOf(text), null).map((mark) => mark.verdict);

describe('verdict on an action', () => {
  it('tells offered, unoffered and missing actions apart', () => {
    expect(verdicts('left@1 !fly@2 ?@3 left@4')).toEqual(['in_list', 'not_in_list', 'no_action', 'in_list']);
  });

  it('calls an offered action that leaves the state as it was a no-op', () => {
    expect(verdicts('check@1 forward@1 forward@2')).toEqual(['no_op', 'in_list', 'in_list']);
  });

  it('keeps an unoffered action that changes nothing apart from a no-op', () => {
    expect(verdicts('!fly@1 left@1')).toEqual(['not_in_list', 'in_list']);
  });

  it('never calls an action out of a list where the environment lists none', () => {
    expect(verdicts('~fly@1 ~!fly@2 ~!fly@2 ~wait@2 ~look@2 ?@3 ~go@3')).toEqual([
      'no_list',
      'refused',
      'refused',
      'no_op',
      'no_list',
      'no_action',
      'no_list',
    ]);
  });

  it('judges the last action by the final picture, and not at all where that is unknown', () => {
    const last = { ...turnOf('forward'), picture: 'wall ahead' };
    expect(markTurns([last], 'wall ahead')[0]).toEqual({ verdict: 'no_op', stateChanged: false, loop: null });
    expect(markTurns([last], 'moved')[0]?.stateChanged).toBe(true);
    expect(markTurns([last], null)[0]).toEqual({ verdict: 'in_list', stateChanged: null, loop: null });
  });
});

describe('loops', () => {
  it('finds a period of two that is repeated three times', () => {
    expect(findLoops(turnsOf('go@0 left@1 right@2 left@1 right@2 left@1 right@2 go@1'))).toEqual([
      { start: 1, end: 7, period: 2, repeats: 3 },
    ]);
  });

  it('counts whole repetitions and keeps the begun one inside', () => {
    expect(findLoops(turnsOf('a@1 b@2 a@1 b@2 a@1 b@2 a@1'))).toEqual([
      { start: 0, end: 7, period: 2, repeats: 3 },
    ]);
  });

  it('sees one in a refused action that is repeated where no actions are listed, and none in one that is taken', () => {
    expect(findLoops(turnsOf('~!fly@1 ~!fly@1 ~go@1'))).toEqual([
      { start: 0, end: 2, period: 1, repeats: 2 },
    ]);
    expect(findLoops(turnsOf('~look@1 ~look@1 ~go@1'))).toEqual([]);
  });

  it('sees no loop in an offered action that is repeated twice', () => {
    expect(findLoops(turnsOf('check@1 check@1 left@1'))).toEqual([]);
  });

  it('sees no loop where the action repeats but the state moves on', () => {
    expect(findLoops(turnsOf('forward@1 forward@2 forward@3 forward@4'))).toEqual([]);
  });

  it('sees a loop in turning on the spot only after three full circles', () => {
    const circle = 'left@E left@N left@W left@S';
    expect(findLoops(turnsOf(`${circle} ${circle}`))).toEqual([]);
    expect(findLoops(turnsOf(`${circle} ${circle} ${circle}`))).toEqual([
      { start: 0, end: 12, period: 4, repeats: 3 },
    ]);
  });

  it('sees no loop in a period of five', () => {
    const round = 'a@1 b@2 c@3 d@4 e@5';
    expect(findLoops(turnsOf(`${round} ${round} ${round}`))).toEqual([]);
  });

  it('calls an unoffered action a loop as soon as it is repeated', () => {
    expect(findLoops(turnsOf('left@0 !fly@1 !fly@1 left@1'))).toEqual([
      { start: 1, end: 3, period: 1, repeats: 2 },
    ]);
  });

  it('prefers the loop that explains more turns', () => {
    expect(findLoops(turnsOf('!x@1 !x@1 b@1 !x@1 !x@1 b@1 !x@1 !x@1 b@1'))).toEqual([
      { start: 0, end: 9, period: 3, repeats: 3 },
    ]);
  });

  it('compares observations where no state was recorded', () => {
    const turn = { ...turnOf('look'), observation: 'a room' };
    expect(findLoops([turn, turn, turn])).toEqual([{ start: 0, end: 3, period: 1, repeats: 3 }]);
    expect(findLoops([turn, { ...turn, observation: 'a hall' }, turn])).toEqual([]);
  });

  it('marks every turn of a loop, so that stepping by marks stops there', () => {
    const marks = markTurns(turnsOf('left@0 !fly@1 !fly@1'), null);
    expect(marks.map(isMarked)).toEqual([false, true, true]);
    expect(marks[2]?.loop?.repeats).toBe(2);
  });
});
