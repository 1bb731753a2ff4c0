import { describe, expect, it } from 'vitest';
import { countBehaviour } from './behaviour';
import type { TurnFacts } from './turn-marks';

/** Turns as `action@state`, with `!` before an action that is not in the list and is refused. */
const turnsOf = (text: string): TurnFacts[] =>
  text.split(' ').map((move) => {
    const [name = '', stateHash = null] = move.split('@');
    const offered = !name.startsWith('!');
    return {
      action: name.replace('!', ''),
      formatOk: true,
      availableActions: ['left', 'go'],
      admissible: offered,
      valid: offered,
      stateHash,
      picture: null,
      observation: '',
    };
  });

describe('behaviour of trajectories of a task', () => {
  it('sums grounded, refused and idle turns, wins at the first turn, and trajectories with a loop', () => {
    const counts = countBehaviour([
      { success: true, error: null, finalPicture: null, turns: turnsOf('go@1') },
      // The last turn has no state after it, so of four turns three can be judged.
      {
        success: false,
        error: { stage: 'environment', message: 'it died' },
        finalPicture: null,
        turns: turnsOf('left@1 left@1 !fly@1 !fly@1'),
      },
    ]);
    expect(counts).toEqual({
      trajectories: 2,
      errored: 1,
      successes: 1,
      oneShot: 1,
      turns: 5,
      listedTurns: 5,
      grounded: 3,
      invalid: 2,
      noOp: 2,
      judgedTurns: 3,
      looping: 1,
    });
  });

  it('counts no turn as grounded or not where the environment lists no actions', () => {
    const turns = turnsOf('go@1 go@2').map((turn) => ({ ...turn, availableActions: [], admissible: false }));
    expect(countBehaviour([{ success: false, error: null, finalPicture: null, turns }])).toMatchObject({
      turns: 2,
      listedTurns: 0,
      grounded: 0,
    });
  });
});
