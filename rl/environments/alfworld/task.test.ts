import { describe, expect, it } from 'vitest';
import { alfWorldTask, reasonByPath, reasonBySolvable } from './task';

describe('alfWorldTask', () => {
  it('reads type and split from the folder', () => {
    const game = 'valid_train/pick_two_obj_and_place-KeyChain-None-Dresser-318/trial_T20190907_181205_590674';
    expect(alfWorldTask(game)).toEqual({
      id: `alfworld/${game}`,
      taskType: 'pick_two_obj_and_place',
      split: 'train',
      game,
    });
  });

  it.each([
    'test/pick_two_obj_and_place-A-None-B-1/trial_1',
    'train/pick_two-A-None-B-1/trial_1',
    'train/pick_two_obj_and_place-A-None-B-1',
    'train/pick_two_obj_and_place-A-None-B-1/trial_1/x',
  ])('refuses %s', (game) => {
    expect(() => alfWorldTask(game)).toThrow(`Not a game of ALFWorld: ${game}. Expected FOLDER/TYPE-`);
  });
});

describe("upstream's filter", () => {
  it('goes by path first', () => {
    expect(reasonByPath('train/pick_and_place_simple-Mug-None-Desk-308/trial_1')).toBeNull();
    expect(reasonByPath('train/pick_and_place_simple-AppleSliced-None-Desk-308/trial_1')).toMatch(/sliced/);
    expect(reasonByPath('train/pick_and_place_with_movable_recep-A-Cup-B-1/trial_1')).toMatch(/movable/);
    expect(reasonByPath('train/pick_and_fly-A-None-B-1/trial_1')).toMatch(/not played/);
  });

  it('then by what the file says of being solvable', () => {
    expect([true, false, null, undefined].map(reasonBySolvable)).toEqual([
      null,
      'not solvable',
      'not solvable',
      'no solvable key',
    ]);
  });
});
