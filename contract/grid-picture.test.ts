import { describe, expect, it } from 'vitest';
import { decodeGridPicture, encodeGridPicture } from './grid-picture';
import type { GridPicture } from './trajectory';

const picture: GridPicture = {
  kind: 'grid',
  width: 3,
  height: 2,
  objects: [
    { x: 0, y: 0, type: 'wall', color: 'grey' },
    { x: 1, y: 0, type: 'wall', color: 'grey' },
    { x: 2, y: 0, type: 'door', color: 'green', state: 'locked', target: true },
    { x: 2, y: 1, type: 'ball', color: 'purple' },
  ],
  agent: { x: 1, y: 1, direction: 'up' },
  carrying: { type: 'key', color: 'green' },
  visible: '110111',
};

describe('grid picture', () => {
  it('survives the way through its string', () => {
    expect(decodeGridPicture(encodeGridPicture(picture))).toEqual(picture);
  });

  it('is written in the documented form', () => {
    expect(encodeGridPicture(picture)).toBe('1;3;2;1,1,3;key green;2WeLg2..Ap;dc;2');
  });

  it('refuses a string that it did not write', () => {
    expect(() => decodeGridPicture('1;3;2;1,1,3;;WeWe;dc;')).toThrow(/not a grid picture/);
    expect(() => decodeGridPicture('')).toThrow(/not a grid picture/);
  });
});
