import type { GridPicture } from '@/contract/trajectory';
import { descriptions } from './mission';
import type { WorldObject } from './objects';
import type { View } from './view';
import type { World } from './world';

const DIRECTIONS = ['right', 'down', 'left', 'up'] as const;

/** The true grid from above, with what the agent sees of it. */
export function drawPicture(world: World, view: View): GridPicture {
  const { grid, carrying } = world;
  const targets = new Set(descriptions(world.instruction).flatMap(({ objects }) => objects));
  const objects = grid.cells.flatMap((object, cell) =>
    object ? [drawObject(object, cell % grid.width, Math.floor(cell / grid.width), targets)] : [],
  );
  return {
    kind: 'grid',
    width: grid.width,
    height: grid.height,
    objects,
    agent: { x: grid.agentX, y: grid.agentY, direction: DIRECTIONS[grid.direction] },
    carrying: carrying && { type: carrying.type, color: carrying.color },
    visible: visibleCells(world, view),
  };
}

function drawObject(
  object: WorldObject,
  x: number,
  y: number,
  targets: ReadonlySet<WorldObject>,
): GridPicture['objects'][number] {
  return {
    x,
    y,
    type: object.type,
    color: object.color,
    ...(object.type === 'door' && { state: object.state }),
    ...(object.type !== 'wall' && targets.has(object) && { target: true }),
  };
}

function visibleCells({ grid }: World, view: View): string {
  const visible = new Array<string>(grid.width * grid.height).fill('0');
  view.seen.forEach((seen, cell) => {
    const x = view.x(cell);
    const y = view.y(cell);
    if (seen === 1 && grid.contains(x, y)) visible[y * grid.width + x] = '1';
  });
  return visible.join('');
}
