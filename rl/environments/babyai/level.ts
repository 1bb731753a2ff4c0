import { LayoutDraws, LayoutRejected } from './draws';
import type { GridShape } from './grid';
import { descriptions, type Instruction } from './mission';
import { manhattan } from './objects';
import { doorsOf } from './room';
import { RoomGrid } from './room-grid';

/** Kind of goal a level sets. */
export type TaskType = 'goto' | 'pickup' | 'open' | 'unlock' | 'putnext' | 'sequence' | 'mixed';

/** What layouts are drawn from: how rooms are filled and which mission they set. */
export interface LayoutSource {
  /** Names it in errors: `babyai/GoToLocalS8N7`. */
  readonly id: string;
  readonly shape: GridShape;
  /** Primitive steps of the reward's scale where upstream fixes them; else they follow from mission and shape. */
  readonly maxSteps: number | null;
  /** A mission may not name the key of a locked door. */
  readonly unblocking: boolean;
  /** Fills a cleared grid and returns the mission. Throws LayoutRejected to be called anew. */
  build(grid: RoomGrid, rules: LayoutRules): Instruction;
}

/** A level of AgentGym. */
export interface Level extends LayoutSource {
  readonly name: string;
  /** AgentGym's number, 1 .. 40. */
  readonly number: number;
  readonly taskType: TaskType;
}

export interface LayoutRules {
  /** Keeps a locked room's key out of that room, as upstream meant to and does not. */
  solvable: boolean;
}

export const ONE_ROOM = { rows: 1, columns: 1 };
const DEFAULT_SHAPE: GridShape = { roomSize: 8, rows: 3, columns: 3 };

type LevelEntry = Pick<Level, 'name' | 'number' | 'taskType' | 'build'> &
  Partial<GridShape & Pick<Level, 'maxSteps' | 'unblocking'>>;

/** A level from what sets it apart: three by three rooms of side 8 unless said otherwise. */
export function level(entry: LevelEntry): Level {
  const { name, number, taskType, build, maxSteps = null, unblocking = false } = entry;
  const { roomSize, rows, columns } = { ...DEFAULT_SHAPE, ...entry };
  const shape = { roomSize, rows, columns };
  return { id: `babyai/${name}`, name, number, taskType, build, maxSteps, unblocking, shape };
}

export interface Layout {
  grid: RoomGrid;
  instruction: Instruction;
}

/**
 * The layout of a level's seed. `resets`: how often upstream resets with that seed before the first observation; a
 * locked room of an earlier reset can change the mission of a later one. Throws where the seed has no layout.
 */
export function drawLayout(drawn: LayoutSource, seed: number, resets: 1 | 2, rules: LayoutRules): Layout {
  const label = `${drawn.id}/${seed}`;
  const grid = new RoomGrid(drawn.shape, new LayoutDraws(seed, label));
  const instruction = drawMission(drawn, grid, rules);
  if (resets === 1 || grid.lockedRoom === null) return { grid, instruction };
  const again = new RoomGrid(drawn.shape, new LayoutDraws(seed, label));
  again.lockedRoom = grid.lockedRoom;
  return { grid: again, instruction: drawMission(drawn, again, rules) };
}

function drawMission(drawn: LayoutSource, grid: RoomGrid, rules: LayoutRules): Instruction {
  for (;;) {
    try {
      grid.clear();
      const instruction = drawn.build(grid, rules);
      requireSensible(instruction, grid, drawn.unblocking);
      return instruction;
    } catch (rejection) {
      if (!(rejection instanceof LayoutRejected)) throw rejection;
    }
  }
}

function requireSensible(instruction: Instruction, grid: RoomGrid, unblocking: boolean): void {
  if (instruction.kind === 'before' || instruction.kind === 'after' || instruction.kind === 'and') {
    requireSensible(instruction.first, grid, unblocking);
    requireSensible(instruction.second, grid, unblocking);
    return;
  }
  if (instruction.kind === 'putnext') requireApart(instruction, grid);
  if (!unblocking) return;
  const locked = grid.rooms
    .flat()
    .flatMap(doorsOf)
    .filter((door) => door.state === 'locked');
  const namesKey = descriptions(instruction).some(
    ({ type, color }) => type === 'key' && locked.some((door) => door.color === color),
  );
  if (namesKey) throw new LayoutRejected();
}

function requireApart(instruction: Extract<Instruction, { kind: 'putnext' }>, grid: RoomGrid): void {
  const { target, beside } = instruction;
  target.find(grid);
  beside.find(grid);
  const isDone = target.objects.some(
    (object) =>
      beside.objects.includes(object) ||
      beside.cells.some((cell) => manhattan(object.x, object.y, cell.x, cell.y) === 1),
  );
  if (isDone) throw new LayoutRejected();
}
