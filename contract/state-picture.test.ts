import { describe, expect, it } from 'vitest';
import { decodeStatePicture, encodeStatePicture } from './state-picture';
import type { StatePicture } from './trajectory';

const grid: StatePicture = {
  kind: 'grid',
  width: 2,
  height: 2,
  objects: [{ x: 1, y: 0, type: 'key', color: 'red' }],
  agent: { x: 0, y: 1, direction: 'up' },
  carrying: null,
  visible: '1110',
};
const household: StatePicture = {
  kind: 'household',
  receptacles: [
    { name: 'fridge 1', state: 'closed', contents: ['egg; "2"'], here: true, target: false },
    { name: 'countertop 1', state: null, contents: [], here: false, target: true },
  ],
  holding: 'egg 1',
  targets: ['egg 1', 'egg; "2"'],
  progress: [{ stage: 'taken', done: 1, of: 1 }],
};

describe('a state picture as a string', () => {
  it('comes back as it was, whatever its kind', () => {
    for (const picture of [grid, household])
      expect(decodeStatePicture(encodeStatePicture(picture))).toEqual(picture);
  });

  it('is refused where no encoder made it', () => {
    for (const text of ['', 'household;', 'household;{"kind":"household"}', 'nonsense'])
      expect(() => decodeStatePicture(text)).toThrow(/not a (grid|household) picture/);
  });
});
