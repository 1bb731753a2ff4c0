import { describe, expect, it } from 'vitest';
import { encodeGridPicture } from '@/contract/grid-picture';
import { cropOf } from './grid-crop';
import { aTrajectory, aTurn } from './trajectory-factory';

/** A picture of 20 by 20 cells in which the agent sees its own cell alone. */
function pictureAt(x: number, y: number, target?: { x: number; y: number }, size = 20): string {
  const visible = Array.from({ length: size * size }, (_, index) =>
    index === y * size + x ? '1' : '0',
  ).join('');
  return encodeGridPicture({
    kind: 'grid',
    width: size,
    height: size,
    objects: target ? [{ ...target, type: 'ball', color: 'red', target: true }] : [],
    agent: { x, y, direction: 'up' },
    carrying: null,
    visible,
  });
}
const played = (...pictures: (string | null)[]) =>
  aTrajectory({ turns: pictures.map((picture, index) => aTurn({ index, picture })) });

describe('the part of a grid that is drawn', () => {
  it('holds all cells seen by all trajectories, the target and a margin', () => {
    const crop = cropOf([played(pictureAt(5, 5, { x: 14, y: 6 })), played(pictureAt(5, 15))]);
    expect(crop).toEqual({ x: 4, y: 4, width: 12, height: 13 });
  });

  it('is no smaller than eight cells and stays within the grid', () => {
    expect(cropOf([played(pictureAt(0, 19))])).toEqual({ x: 0, y: 12, width: 8, height: 8 });
    expect(cropOf([played(pictureAt(10, 10))])).toEqual({ x: 7, y: 7, width: 8, height: 8 });
  });

  it('is the whole grid where little would be cut off', () => {
    expect(cropOf([played(pictureAt(1, 1, { x: 6, y: 6 }, 8))])).toBeNull();
  });

  it('takes no notice of pictures that are missing or cannot be read', () => {
    expect(cropOf([played(null, 'not a picture')])).toBeNull();
    expect(cropOf([])).toBeNull();
  });
});
