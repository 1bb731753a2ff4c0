import { describe, expect, it } from 'vitest';
import { alignTurns } from './alignment';
import type { PlayFacts } from './moves';
import { partingTurn, sampleDivergence } from './sample-divergence';

const play = (text: string): PlayFacts => ({
  turns: text
    .split(' ')
    .filter(Boolean)
    .map((move) => {
      const [action = '', stateHash = null] = move.split('@');
      return {
        action,
        stateHash,
        formatOk: true,
        availableActions: [],
        admissible: true,
        valid: true,
        picture: null,
        observation: '',
      };
    }),
  finalPicture: null,
  finalObservation: null,
});

describe('the turn at which two plays part', () => {
  it('is that of the first divergence of their alignment', () => {
    for (const [a, b] of [
      ['left@1 go@2', 'left@1 go@2'],
      ['left@1 go@2', 'left@1 go@3'],
      ['left@1', 'left@1 go@2'],
      ['', 'go@1'],
      ['x@1 left@1 go@2', 'left@1 go@2'],
    ] as const)
      expect(partingTurn(play(a), play(b))).toBe(alignTurns(play(a), play(b)).firstDivergence);
  });
});

describe('the divergence of samples of one checkpoint', () => {
  it('is the median over all pairs, from turn 1', () => {
    // Pairs: 1-2 part at turn 2, 1-3 and 2-3 at turn 1.
    expect(sampleDivergence([play('a@1 b@2'), play('a@1 c@2'), play('d@1')])).toEqual({
      samples: 3,
      pairs: 3,
      neverPart: 0,
      medianTurn: 1,
    });
  });

  it('takes the later of the two middle pairs', () => {
    // Six pairs: 1-2 never part, the others at turn 1, 1, 1, 1 and 2.
    const samples = [play('a@1 b@2'), play('a@1 b@2'), play('c@1 b@2'), play('c@1 d@2')];
    expect(sampleDivergence(samples)).toEqual({ samples: 4, pairs: 6, neverPart: 1, medianTurn: 1 });
    expect(sampleDivergence(samples.slice(0, 2))).toEqual({
      samples: 2,
      pairs: 1,
      neverPart: 1,
      medianTurn: null,
    });
  });

  it('has no median where at least half of the pairs never part', () => {
    const same = [play('a@1'), play('a@1'), play('a@1')];
    expect(sampleDivergence(same)).toEqual({ samples: 3, pairs: 3, neverPart: 3, medianTurn: null });
  });

  it('is none with fewer than two samples', () => {
    expect(sampleDivergence([play('a@1')])).toBeNull();
    expect(sampleDivergence([])).toBeNull();
  });
});
