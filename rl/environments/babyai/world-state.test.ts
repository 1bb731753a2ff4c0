import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { findLevel, LEVELS } from './levels/registry';
import { Primitive } from './objects';
import { stateKey } from './state';
import { World } from './world';
import { restoreWorld, saveWorld, withWorldKept } from './world-state';

const open = (level: string, seed: number): World => {
  const world = new World(findLevel(level), seed, 2, { solvable: true });
  world.takeCarriedAtStart();
  return world;
};

/** Plays random primitives; gives what came of each, with the state after it. */
function play(world: World, seed: number, count: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const outcome = world.step(random.pick(Object.values(Primitive)));
    return `${outcome} ${world.steps} ${JSON.stringify(stateKey(world))} ${whereabouts(world)}`;
  });
}

/** Cells of the mission's objects, as the world and as the objects themselves have them. */
function whereabouts({ grid, carrying }: World): string {
  const objects = [...grid.cells, carrying].filter((object) => object !== null && object.type !== 'wall');
  return objects.map((object) => `${object?.x},${object?.y}`).join(' ');
}

describe('a saved world', () => {
  it.each(LEVELS.map(({ name }) => name))('of %s goes on as if nothing had happened since', (level) => {
    for (const seed of [0, 1, 2]) {
      const [played, twin] = [open(level, seed), open(level, seed)];
      play(played, seed, 40);
      play(twin, seed, 40);
      const saved = saveWorld(played);
      play(played, seed + 100, 60);
      restoreWorld(played, saved);
      expect(play(played, seed + 200, 60)).toEqual(play(twin, seed + 200, 60));
    }
  });

  it('can be gone back to again and again', () => {
    const world = open('BossLevel', 3);
    const saved = saveWorld(world);
    const first = play(world, 1, 80);
    restoreWorld(world, saved);
    expect(play(world, 1, 80)).toEqual(first);
    restoreWorld(world, saved);
    expect(play(world, 1, 80)).toEqual(first);
  });

  it('is gone back to where something throws, too', () => {
    const world = open('Unlock', 0);
    const before = stateKey(world);
    expect(() =>
      withWorldKept(world, () => {
        play(world, 2, 20);
        throw new Error('in the middle');
      }),
    ).toThrow(/in the middle/);
    expect([stateKey(world), world.steps]).toEqual([before, 0]);
  });
});
