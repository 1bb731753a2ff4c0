import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { DIRECTION_X, DIRECTION_Y, WALL, type WorldObject } from './objects';
import { findLevel } from './levels/registry';
import { View } from './view';
import { World } from './world';

interface Cell {
  x: number;
  y: number;
  object: WorldObject | null;
  seen: boolean;
}

/** Minigrid's view as it is written: columns of the square ahead of the agent, then process_vis over it. */
function upstreamView({ grid, carrying }: World): Cell[][] {
  const [fx, fy] = [DIRECTION_X[grid.direction], DIRECTION_Y[grid.direction]];
  const columns = Array.from({ length: 7 }, (_, i) =>
    Array.from({ length: 7 }, (_, j): Cell => {
      const x = grid.agentX + fx * (6 - j) - fy * (i - 3);
      const y = grid.agentY + fy * (6 - j) + fx * (i - 3);
      return { x, y, object: grid.contains(x, y) ? grid.at(x, y) : WALL, seen: false };
    }),
  );
  const show = (i: number, j: number): void => {
    const cell = columns[i]?.[j];
    if (cell) cell.seen = true;
  };
  const letsThrough = (i: number, j: number): boolean => {
    const cell = columns[i]?.[j];
    return cell?.seen === true && !cell.object?.blocksSight;
  };
  show(3, 6);
  for (let j = 6; j >= 0; j--) {
    for (const [order, side] of [
      [[0, 1, 2, 3, 4, 5], 1],
      [[6, 5, 4, 3, 2, 1], -1],
    ] as const) {
      for (const i of order) {
        if (!letsThrough(i, j)) continue;
        show(i + side, j);
        show(i + side, j - 1);
        show(i, j - 1);
      }
    }
  }
  const own = columns[3]?.[6];
  if (own) own.object = carrying;
  return columns;
}

describe('View', () => {
  it('sees what Minigrid’s view sees, with a load too, and nothing off the grid', () => {
    const random = createRandom(3);
    let hidden = 0;
    let carried = 0;
    for (const name of ['GoToObjDoor', 'BossLevel', 'PutNextS7N4Carrying', 'OneRoomS20', 'SynthS5R2']) {
      const world = new World(findLevel(name), 3, 1, { solvable: false });
      world.takeCarriedAtStart();
      const view = new View(world);
      for (let step = 0; step < 200; step++) {
        world.step(random.pick([0, 1, 2, 2, 2, 3, 4, 5] as const));
        view.look();
        const expected = upstreamView(world).flatMap((column, i) =>
          column.map(({ x, y, object, seen }, j) => ({ cell: j * 7 + i, x, y, object, seen })),
        );
        const said = expected.map(({ cell }) => {
          const [x, y, seen] = [view.x(cell), view.y(cell), view.seen[cell] === 1];
          return { cell, x, y, object: view.objects[cell], seen };
        });
        expect(said).toEqual(expected.map((cell) => ({ ...cell, object: cell.seen ? cell.object : null })));
        expect(said.every(({ x, y, seen }) => !seen || world.grid.contains(x, y))).toBe(true);
        hidden += said.filter(({ seen }) => !seen).length;
        if (world.carrying) carried++;
      }
    }
    expect(Math.min(hidden, carried)).toBeGreaterThan(0);
  });

  it('notices a change exactly where something looks different', () => {
    const random = createRandom(4);
    const world = new World(findLevel('BossLevel'), 5, 1, { solvable: false });
    const view = new View(world);
    const looks = (): string =>
      JSON.stringify(
        upstreamView(world).map((column) => column.map(({ seen, object }) => seen && object?.code)),
      );
    let before = looks();
    const counts = { changed: 0, same: 0 };
    for (let step = 0; step < 300; step++) {
      world.step(random.pick([0, 1, 2, 2, 2, 3, 4, 5] as const));
      const changed = view.look();
      const after = looks();
      expect(changed).toBe(after !== before);
      before = after;
      counts[changed ? 'changed' : 'same']++;
    }
    expect(Math.min(counts.changed, counts.same)).toBeGreaterThan(0);
  });
});
