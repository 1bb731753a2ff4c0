import { describe, expect, it } from 'vitest';
import { markTrajectory, type TrajectoryFacts } from './trajectory-marks';

type FactTurn = TrajectoryFacts['turns'][number];

function turn(action: string, changes: Partial<FactTurn> = {}): FactTurn {
  return {
    action,
    reply: `Action: ${action}`,
    formatOk: true,
    availableActions: ['turn left', 'turn right', 'go to red ball 1'],
    admissible: ['turn left', 'turn right', 'go to red ball 1'].includes(action),
    valid: true,
    stateHash: null,
    picture: null,
    observation: 'You see a red ball.',
    ...changes,
  };
}

function lost(turns: FactTurn[], changes: Partial<TrajectoryFacts> = {}): TrajectoryFacts {
  return {
    success: false,
    stopReason: 'turn_limit',
    givenTurns: 0,
    finalPicture: null,
    finalObservation: null,
    turns,
    ...changes,
  };
}

const UNRECOGNISED = { observation: 'The action is not recognized. Please check valid actions.' };

describe('the marks of a trajectory', () => {
  it('name the longest stretch of actions that say that there is none, whatever their words', () => {
    const turns = [
      turn('go to red ball 1', { stateHash: 'a' }),
      turn('None available', { stateHash: 'b' }),
      turn('none', { stateHash: 'b' }),
      turn('', { reply: 'Thought: stuck.\nAction:\nNo valid action', formatOk: false, stateHash: 'b' }),
      turn('turn left', { stateHash: 'b' }),
      turn('None available', { stateHash: 'c' }),
    ];
    const marks = markTrajectory(lost(turns));
    expect(marks.noneAvailable).toEqual({ start: 1, length: 3 });
    expect(marks).toMatchObject({ ungrounded: 3, firstUngrounded: 1, malformed: 1, turns: 6 });
    expect(marks).toMatchObject({ failureMode: 'none_available', firstBadTurn: 1 });
  });

  it('name no failure of a trajectory that does not say whether it was won', () => {
    const turns = [turn('None available', { stateHash: 'a' })];
    expect(markTrajectory(lost(turns, { success: null, stopReason: 'not_stated' }))).toMatchObject({
      ungrounded: 1,
      failureMode: null,
      firstBadTurn: null,
    });
  });

  it('do not take a thought about what is not available for an action', () => {
    const reply = `Thought: the key is not available, so I look for another.\n${'so '.repeat(40)}`;
    expect(markTrajectory(lost([turn('', { reply, formatOk: false })])).noneAvailable).toBeNull();
  });

  it('tell back and forth from the same action again', () => {
    const back = ['turn left', 'turn right', 'turn left', 'turn right', 'turn left', 'turn right'];
    const swings = back.map((action, index) => turn(action, { stateHash: `s${index % 2}` }));
    expect(markTrajectory(lost(swings)).loop).toEqual({ start: 0, length: 6, period: 2, repeats: 3 });
    const same = ['a', 'a', 'a'].map(() => turn('turn left', UNRECOGNISED));
    expect(markTrajectory(lost(same)).loop).toEqual({ start: 0, length: 3, period: 1, repeats: 3 });
    const healed = ['a', 'b', 'c'].map((stateHash) => turn('turn left', { stateHash }));
    expect(markTrajectory(lost(healed))).toMatchObject({ loop: null, failureMode: 'turn_limit' });
  });

  it('see a task completed before the last turn, and not one completed by it', () => {
    const done = 'You see a wall.\n The task is completed.';
    const paid = [turn('go to red ball 1'), turn('turn left', { observation: done }), turn('turn right')];
    expect(markTrajectory(lost(paid))).toMatchObject({ completedEarly: 0, completed: true });
    const rightly = lost([turn('go to red ball 1')], { finalObservation: done });
    expect(markTrajectory(rightly)).toMatchObject({ completedEarly: null, completed: true });
  });

  it.each([
    ['not_in_list', [turn('turn left', { stateHash: 'a' }), turn('fly', { stateHash: 'b' })], 1],
    ['refused', [turn('fly', { availableActions: [], valid: false, admissible: false })], 0],
    ['no_action', [turn('', { formatOk: false, reply: 'I will think.' })], 0],
    ['no_op', [turn('turn left', { stateHash: 'a' }), turn('turn right', { stateHash: 'a' })], 0],
    ['turn_limit', [turn('turn left')], null],
  ] as const)('of a lost one name its first bad turn and mode: %s', (mode, turns, first) => {
    expect(markTrajectory(lost([...turns]))).toMatchObject({ failureMode: mode, firstBadTurn: first });
  });

  it('of a won one name no failure; turns that were given are not marked', () => {
    const turns = [turn('fly'), turn('turn left')];
    expect(markTrajectory(lost(turns, { success: true, stopReason: 'success' }))).toMatchObject({
      failureMode: null,
      firstBadTurn: null,
      ungrounded: 1,
    });
    expect(markTrajectory(lost(turns, { givenTurns: 1, stopReason: 'error' }))).toMatchObject({
      turns: 1,
      ungrounded: 0,
      failureMode: 'error',
      firstBadTurn: null,
    });
  });
});
