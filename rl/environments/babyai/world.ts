import type { RoomGrid } from './room-grid';
import { drawLayout, type LayoutRules, type LayoutSource } from './level';
import { descriptions, missionText, walkCount, type Instruction } from './mission';
import { Primitive, turned, type WorldObject } from './objects';
import { judge, startProgress, type Outcome, type Progress } from './verifier';

/** Minigrid's world in play: one primitive action at a time, with its reward. */
export class World {
  readonly grid: RoomGrid;
  readonly instruction: Instruction;
  /** The mission in upstream's words, e.g. `pick up the red ball, then open a door`. */
  readonly mission: string;
  readonly maxSteps: number;
  carrying: WorldObject | null = null;
  /** Primitive steps taken. */
  steps = 0;
  /** How far the mission has come. */
  progress: Progress;

  constructor(level: LayoutSource, seed: number, resets: 1 | 2, rules: LayoutRules) {
    const { grid, instruction } = drawLayout(level, seed, resets, rules);
    const { roomSize, rows, columns } = level.shape;
    this.grid = grid;
    this.instruction = instruction;
    this.mission = missionText(instruction, grid);
    this.maxSteps = level.maxSteps ?? walkCount(instruction) * roomSize * roomSize * rows * columns;
    for (const description of descriptions(instruction)) description.find(grid);
    this.progress = startProgress(instruction);
  }

  /** On levels that start with something in the hand, moves it there: after the first look, as upstream does. */
  takeCarriedAtStart(): void {
    const object = this.grid.carriedAtStart;
    if (!object) return;
    this.grid.put(object.x, object.y, null);
    this.carrying = object;
  }

  /** Reward of a success now: 1 - 0.9 * steps / maxSteps. */
  get successReward(): number {
    return 1 - 0.9 * (this.steps / this.maxSteps);
  }

  step(action: Primitive): Outcome {
    this.steps++;
    this.act(action);
    if (action === Primitive.drop) {
      for (const description of descriptions(this.instruction)) description.findCells(this.grid);
    }
    return judge(this.progress, this, action);
  }

  private act(action: Primitive): void {
    const { grid } = this;
    if (action === Primitive.left) grid.direction = turned(grid.direction, 3);
    else if (action === Primitive.right) grid.direction = turned(grid.direction, 1);
    else if (action !== Primitive.done) this.actOnFront(action, grid.frontX, grid.frontY);
  }

  private actOnFront(action: Primitive, x: number, y: number): void {
    const object = this.grid.at(x, y);
    if (action === Primitive.forward) {
      if (!object || (object.type === 'door' && object.state === 'open')) {
        this.grid.agentX = x;
        this.grid.agentY = y;
      }
    } else if (action === Primitive.pickup) {
      if (object?.isCarriable && !this.carrying) {
        this.carrying = object;
        object.x = object.y = -1;
        this.grid.put(x, y, null);
      }
    } else if (action === Primitive.drop) {
      if (!object && this.carrying) this.put(this.carrying, x, y);
    } else if (object?.type === 'door') {
      this.toggleDoor(object);
    } else if (object?.type === 'box') {
      this.grid.put(x, y, object.contents);
    }
  }

  private put(object: WorldObject, x: number, y: number): void {
    object.x = x;
    object.y = y;
    this.grid.put(x, y, object);
    this.carrying = null;
  }

  /** A locked door yields to the key of its colour and stands open; another flips. */
  private toggleDoor(door: WorldObject): void {
    if (door.state !== 'locked') door.state = door.state === 'open' ? 'closed' : 'open';
    else if (this.carrying?.type === 'key' && this.carrying.color === door.color) door.state = 'open';
  }
}
