import { describe, expect, it } from 'vitest';
import type { GridPicture } from '@/contract/trajectory';
import { gridLabel, gridWords } from './grid-words';

const picture: GridPicture = {
  kind: 'grid',
  width: 3,
  height: 2,
  objects: [
    { x: 0, y: 0, type: 'wall', color: 'grey' },
    { x: 1, y: 0, type: 'key', color: 'blue' },
    { x: 2, y: 0, type: 'key', color: 'blue' },
    { x: 0, y: 1, type: 'door', color: 'green', state: 'locked', target: true },
  ],
  agent: { x: 1, y: 1, direction: 'up' },
  carrying: null,
  visible: '111011',
};

describe('a grid in words', () => {
  it('names agent, hands, what is in view and a target out of view', () => {
    expect(gridWords(picture)).toEqual({
      agent: 'column 1, row 1, facing up',
      carries: 'nothing',
      sees: 'blue key ×2',
      target: 'green locked door, not in view',
      targetHidden: true,
    });
  });

  it('says when the target comes into view', () => {
    const words = gridWords({ ...picture, visible: '111111' });
    expect(words.target).toBe('green locked door, in view');
    expect(words.targetHidden).toBe(false);
    expect(words.sees).toBe('blue key ×2, green locked door');
  });

  it('says that nothing stands in view, is carried, or is a target', () => {
    const words = gridWords({ ...picture, objects: [], carrying: { type: 'ball', color: 'red' } });
    expect(words).toMatchObject({
      sees: 'walls and floor only',
      carries: 'red ball',
      target: 'none on the grid',
      targetHidden: false,
    });
  });

  it('reads as one label', () => {
    expect(gridLabel(picture)).toBe(
      'Grid of 3 by 2 cells. Agent at column 1, row 1, facing up, carries nothing. ' +
        'Sees blue key ×2. Target: green locked door, not in view.',
    );
  });
});
