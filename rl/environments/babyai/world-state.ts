import { descriptions } from './mission';
import type { Direction, DoorState, WorldObject } from './objects';
import { copyProgress, type Progress } from './verifier';
import type { World } from './world';

/** A world's exact state at one moment, to go back to. Good for the world it was taken of alone. */
export interface WorldState {
  readonly agentX: number;
  readonly agentY: number;
  readonly direction: Direction;
  readonly carrying: WorldObject | null;
  readonly steps: number;
  readonly cells: readonly (WorldObject | null)[];
  readonly objects: readonly ObjectState[];
  /** Of each description of the mission, in reading order. */
  readonly targetCells: readonly (readonly { x: number; y: number }[])[];
  readonly progress: Progress;
}

interface ObjectState {
  readonly object: WorldObject;
  readonly x: number;
  readonly y: number;
  readonly state: DoorState;
}

/** The state of a world now. Objects keep their identity: what is saved is where and how they are. */
export function saveWorld(world: World): WorldState {
  const { grid, carrying, steps, instruction, progress } = world;
  const objects: ObjectState[] = [];
  for (const object of grid.cells) if (object && object.type !== 'wall') objects.push(stateOf(object));
  if (carrying) objects.push(stateOf(carrying));
  return {
    agentX: grid.agentX,
    agentY: grid.agentY,
    direction: grid.direction,
    carrying,
    steps,
    cells: grid.cells.slice(),
    objects,
    targetCells: descriptions(instruction).map(({ cells }) => cells.slice()),
    progress: copyProgress(progress),
  };
}

function stateOf(object: WorldObject): ObjectState {
  const { x, y, state } = object;
  return { object, x, y, state };
}

/** Takes a world back to a state saved of it. */
export function restoreWorld(world: World, saved: WorldState): void {
  const { grid } = world;
  grid.agentX = saved.agentX;
  grid.agentY = saved.agentY;
  grid.direction = saved.direction;
  saved.cells.forEach((object, cell) => {
    grid.cells[cell] = object;
  });
  for (const { object, x, y, state } of saved.objects) {
    object.x = x;
    object.y = y;
    if (object.state !== state) object.state = state;
  }
  descriptions(world.instruction).forEach((description, index) => {
    description.cells = saved.targetCells[index]?.slice() ?? [];
  });
  world.carrying = saved.carrying;
  world.steps = saved.steps;
  world.progress = copyProgress(saved.progress);
}

/** What `act` gives, with the world as it was before. */
export function withWorldKept<Result>(world: World, act: () => Result): Result {
  const saved = saveWorld(world);
  try {
    return act();
  } finally {
    restoreWorld(world, saved);
  }
}
