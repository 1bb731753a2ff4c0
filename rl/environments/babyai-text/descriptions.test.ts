import { describe, expect, it } from 'vitest';
import { Description, goTo } from '../babyai/mission';
import { WorldObject, type Direction } from '../babyai/objects';
import type { RoomGrid } from '../babyai/room-grid';
import { View } from '../babyai/view';
import { World } from '../babyai/world';
import { describeView } from './descriptions';

interface Scene {
  columns?: number;
  agent: { x: number; y: number; direction: Direction };
  objects: readonly (readonly [WorldObject, number, number])[];
}

/** What is told of rooms of 8 by 8 cells, their outer walls at 0 and 7 (14 for the second room). */
function told({ columns = 1, agent, objects }: Scene, carrying: WorldObject | null = null): string[] {
  const build = (grid: RoomGrid) => {
    for (const [object, x, y] of objects) grid.put(x, y, object);
    Object.assign(grid, { agentX: agent.x, agentY: agent.y, direction: agent.direction });
    return goTo(new Description('ball', 'red'));
  };
  const shape = { roomSize: 8, rows: 1, columns };
  const source = { id: 'scene', shape, maxSteps: null, unblocking: false, build };
  const world = new World(source, 0, 1, { solvable: true });
  world.carrying = carrying;
  return describeView(new View(world), carrying);
}

const right = 0;
const up = 3;

describe('describeView', () => {
  it('tells walls first, then objects by column from the left, each from its far end', () => {
    const objects = [
      [new WorldObject('ball', 'red'), 4, 4],
      [new WorldObject('key', 'grey'), 3, 3],
      [new WorldObject('ball', 'purple'), 5, 3],
      [new WorldObject('box', 'blue'), 5, 6],
    ] as const;
    // The wall on the left is 4 steps away, out of view; the red ball stands before the wall ahead.
    expect(told({ agent: { x: 3, y: 4, direction: right }, objects })).toEqual([
      'You see a wall 3 steps right',
      'You see a purple ball 1 step left and 2 steps forward',
      'You see a grey key 1 step left',
      'You see a red ball 1 step forward',
      'You see a blue box 2 steps right and 2 steps forward',
    ]);
  });

  it('tells the walls ahead, to the left and to the right, in this order', () => {
    expect(told({ agent: { x: 1, y: 6, direction: up }, objects: [] })).toEqual([
      'You see a wall 6 steps forward',
      'You see a wall 1 step left',
    ]);
    expect(told({ agent: { x: 6, y: 1, direction: up }, objects: [] })).toEqual([
      'You see a wall 1 step forward',
      'You see a wall 1 step right',
    ]);
  });

  it.each(['closed', 'locked'] as const)(
    'tells that a door is %s, and nothing of what is behind it',
    (state) => {
      const objects = [
        [new WorldObject('door', 'grey', state), 7, 4],
        [new WorldObject('ball', 'red'), 9, 4],
      ] as const;
      expect(told({ columns: 2, agent: { x: 5, y: 4, direction: right }, objects })).toEqual([
        'You see a wall 3 steps right',
        `You see a ${state} grey door 2 steps forward`,
      ]);
    },
  );

  it('looks through an open door, which it calls "a open" door', () => {
    const objects = [
      [new WorldObject('door', 'yellow', 'open'), 7, 4],
      [new WorldObject('ball', 'red'), 9, 4],
    ] as const;
    expect(told({ columns: 2, agent: { x: 5, y: 4, direction: right }, objects })).toEqual([
      'You see a wall 3 steps right',
      'You see a red ball 4 steps forward',
      'You see a open yellow door 2 steps forward',
    ]);
  });

  it('tells first what is carried, which is not seen besides', () => {
    const carried = new WorldObject('key', 'green');
    expect(told({ agent: { x: 6, y: 6, direction: right }, objects: [] }, carried)).toEqual([
      'You carry a green key',
      'You see a wall 1 step forward',
      'You see a wall 1 step right',
    ]);
  });
});
