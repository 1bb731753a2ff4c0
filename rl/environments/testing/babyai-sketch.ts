import type { Instruction } from '../babyai/mission';
import { COLORS, WALL, WorldObject, type Color, type Direction } from '../babyai/objects';
import { World } from '../babyai/world';

const AGENT = ['>>', 'vv', '<<', '^^'];
const TYPES = { K: 'key', A: 'ball', B: 'box' } as const;
const DOORS = { D: 'closed', L: 'locked', O: 'open' } as const;
const COLOR_OF: Readonly<Record<string, Color>> = {
  B: 'blue',
  G: 'green',
  E: 'grey',
  P: 'purple',
  R: 'red',
  Y: 'yellow',
};

/**
 * A world from a sketch, for tests: rows of two-letter cells, as many as a row has, walls around. `WW` wall, `..` floor,
 * `>>`, `vv`, `<<`, `^^` the agent; else what stands there (K key, A ball, B box, D shut, L locked, O open door) and its
 * colour's initial (E grey). Throws on any other cell.
 */
export function sketchWorld(rows: readonly string[], mission: Instruction): World {
  const shape = { roomSize: rows.length, rows: 1, columns: 1 };
  return new World(
    {
      id: 'sketch',
      shape,
      maxSteps: null,
      unblocking: false,
      build(grid) {
        rows.forEach((row, y) => {
          row.split(' ').forEach((cell, x) => {
            const direction = AGENT.indexOf(cell);
            if (direction >= 0) {
              grid.agentX = x;
              grid.agentY = y;
              grid.direction = direction as Direction;
            }
            const object = direction >= 0 || cell === '..' ? null : sketchedObject(cell);
            grid.put(x, y, object);
            if (object && object !== WALL) Object.assign(object, { x, y });
          });
        });
        return mission;
      },
    },
    0,
    1,
    { solvable: true },
  );
}

function sketchedObject(cell: string): WorldObject {
  if (cell === 'WW') return WALL;
  const [kind = '', initial = ''] = cell;
  const color = COLOR_OF[initial];
  if (color && kind in TYPES) return new WorldObject(TYPES[kind as keyof typeof TYPES], color);
  if (color && kind in DOORS) return new WorldObject('door', color, DOORS[kind as keyof typeof DOORS]);
  throw new Error(`A sketch has no cell "${cell}"; colours: ${COLORS.join(', ')}`);
}
