import { describe, expect, it } from 'vitest';
import { GridPicture } from '@/contract/trajectory';
import { createBabyAi } from './babyai';
import { babyAiTask } from './task';

const environment = createBabyAi();
const start = (level: string, seed: number) => environment.start(babyAiTask(level, seed, 'train'));

describe('picture', () => {
  it('shows the grid, the pose, and the mission’s objects as targets', () => {
    // pick up a red object; row 2 holds a yellow key and a red box, row 3 a red key and the agent, facing left.
    const picture = start('PickupDistDebug', 5).picture();
    expect(GridPicture.parse(picture)).toEqual(picture);
    expect(picture).toMatchObject({ kind: 'grid', width: 7, height: 7, carrying: null });
    expect(picture.agent).toEqual({ x: 4, y: 3, direction: 'left' });
    expect(picture.objects.filter(({ type }) => type === 'wall')).toHaveLength(24);
    expect(picture.objects.filter(({ target }) => target)).toEqual([
      { x: 4, y: 2, type: 'box', color: 'red', target: true },
      { x: 1, y: 3, type: 'key', color: 'red', target: true },
    ]);
    expect(picture.objects).toContainEqual({ x: 1, y: 2, type: 'key', color: 'yellow' });
  });

  it('marks no wall as a target of a grey object', () => {
    const grey = Array.from({ length: 60 }, (_, seed) => start('PickupDistDebug', seed)).filter(({ goal }) =>
      goal.includes('grey object'),
    );
    expect(grey.length).toBeGreaterThan(0);
    for (const episode of grey) {
      const targets = episode.picture().objects.filter(({ target }) => target);
      expect(targets.length).toBeGreaterThan(0);
      expect(targets.every(({ type, color }) => type !== 'wall' && color === 'grey')).toBe(true);
    }
  });

  it('marks as visible what walls leave open: facing a wall, that wall and the cells beside the agent', () => {
    // The agent stands in column 6 of row 2, facing the right wall; its view spans rows -1 to 5.
    const { visible, width } = start('GoToLocalS8N7', 2).picture();
    const seen = [...visible].flatMap((flag, cell) =>
      flag === '1' ? [[cell % width, Math.floor(cell / width)]] : [],
    );
    expect(seen).toEqual(
      [0, 1, 2, 3, 4, 5].flatMap((y) => [
        [6, y],
        [7, y],
      ]),
    );
  });

  it('shows what is carried, and door states as they change', () => {
    const episode = start('UnlockLocalDist', 0);
    const door = () => episode.picture().objects.find(({ type }) => type === 'door');
    expect(door()?.state).toBe('locked');
    const key = episode.observe().availableActions.find((action) => action.startsWith('pickup red key'));
    episode.step(key ?? '');
    expect(episode.picture().carrying).toEqual({ type: 'key', color: 'red' });
  });
});

describe('stateHash', () => {
  it('is equal for equal states, steps aside', () => {
    const episode = start('GoToLocalS8N7', 2);
    const first = episode.stateHash();
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    const turned = ['turn left', 'turn left', 'turn left'].map((action) => {
      episode.step(action);
      return episode.stateHash();
    });
    episode.step('turn left');
    expect(episode.stateHash()).toBe(first);
    expect(new Set([first, ...turned]).size).toBe(4);
  });

  it('differs once something is carried', () => {
    const episode = start('PickupDistDebug', 0);
    const before = episode.stateHash();
    episode.step('pickup purple box 1');
    expect(episode.stateHash()).not.toBe(before);
  });
});
