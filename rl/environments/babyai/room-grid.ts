import { AppError } from '@/contract/errors';
import { LayoutRejected, type LayoutDraws, type Side } from './draws';
import { Grid, type GridShape } from './grid';
import { countConnectedRooms, isEveryObjectReachable } from './reachability';
import { opposite, type Room } from './room';
import {
  CARRIABLE_TYPES,
  COLORS,
  DIRECTION_X,
  DIRECTION_Y,
  manhattan,
  WALL,
  WorldObject,
  type CarriableType,
  type Color,
} from './objects';

const PLACING_TRIES = 1000;
const CONNECTING_TRIES = 5000;

/**
 * Minigrid's RoomGrid: rooms in rows and columns, filled by draws. The order of the draws is upstream's, so that a
 * layout seed gives upstream's layout.
 */
export class RoomGrid extends Grid {
  rooms: Room[][] = [];
  /** Lives through redraws and resets, as upstream's does: a stale room still bars the objects of a mission. */
  lockedRoom: Room | null = null;
  /** Moves to the agent's hand after the first look. */
  carriedAtStart: WorldObject | null = null;

  constructor(
    shape: GridShape,
    readonly draws: LayoutDraws,
  ) {
    super(shape);
  }

  room(column: number, row: number): Room {
    const room = this.rooms[row]?.[column];
    if (!room)
      throw new AppError('internal', `${this.draws.label} has no room in column ${column}, row ${row}`);
    return room;
  }

  roomAt(x: number, y: number): Room {
    const inner = this.roomSize - 1;
    return this.room(Math.floor(x / inner), Math.floor(y / inner));
  }

  /** Empty rooms; the cells of their future doors are drawn. */
  clear(): void {
    this.cells.fill(null);
    this.carriedAtStart = null;
    this.rooms = Array.from({ length: this.rows }, (_, row) =>
      Array.from({ length: this.columns }, (_, column) => this.emptyRoom(column, row)),
    );
    for (let row = 0; row < this.rows; row++) {
      for (let column = 0; column < this.columns; column++) this.drawDoorCells(column, row);
    }
    this.agentX = Math.floor(this.columns / 2) * (this.roomSize - 1) + Math.floor(this.roomSize / 2);
    this.agentY = Math.floor(this.rows / 2) * (this.roomSize - 1) + Math.floor(this.roomSize / 2);
    this.direction = 0;
  }

  private emptyRoom(column: number, row: number): Room {
    const last = this.roomSize - 1;
    const x = column * last;
    const y = row * last;
    for (let offset = 0; offset <= last; offset++) {
      this.put(x + offset, y, WALL);
      this.put(x + offset, y + last, WALL);
      this.put(x, y + offset, WALL);
      this.put(x + last, y + offset, WALL);
    }
    return {
      x,
      y,
      doors: [null, null, null, null],
      doorCells: [null, null, null, null],
      neighbors: [null, null, null, null],
      locked: false,
      objects: [],
    };
  }

  private drawDoorCells(column: number, row: number): void {
    const room = this.room(column, row);
    const last = this.roomSize - 1;
    if (column < this.columns - 1) {
      const right = this.room(column + 1, row);
      const cell = { x: room.x + last, y: this.draws.integer(room.y + 1, room.y + last) };
      this.join(room, 0, right, cell);
    }
    if (row < this.rows - 1) {
      const below = this.room(column, row + 1);
      const cell = { x: this.draws.integer(room.x + 1, room.x + last), y: room.y + last };
      this.join(room, 1, below, cell);
    }
  }

  private join(room: Room, side: Side, neighbor: Room, cell: { x: number; y: number }): void {
    const back = opposite(side);
    room.neighbors[side] = neighbor;
    room.doorCells[side] = cell;
    neighbor.neighbors[back] = room;
    neighbor.doorCells[back] = cell;
  }

  /** A free cell of a room's square; `apart` also keeps off the agent's cell and its four neighbours. */
  private freeCell(room: Room, apart: boolean): { x: number; y: number } {
    for (let tries = 0; tries <= PLACING_TRIES; tries++) {
      const x = this.draws.integer(room.x, Math.min(room.x + this.roomSize, this.width));
      const y = this.draws.integer(room.y, Math.min(room.y + this.roomSize, this.height));
      if (this.at(x, y)) continue;
      const distance = manhattan(x, y, this.agentX, this.agentY);
      if (distance === 0 || (apart && distance < 2)) continue;
      return { x, y };
    }
    throw new LayoutRejected();
  }

  placeInRoom(column: number, row: number, object: WorldObject): WorldObject {
    const room = this.room(column, row);
    const { x, y } = this.freeCell(room, true);
    this.put(x, y, object);
    object.x = x;
    object.y = y;
    room.objects.push(object);
    return object;
  }

  addObject(column: number, row: number, type?: CarriableType, color?: Color): WorldObject {
    const drawnType = type ?? this.draws.pick(CARRIABLE_TYPES);
    return this.placeInRoom(column, row, new WorldObject(drawnType, color ?? this.draws.pick(COLORS)));
  }

  /** A door of a room; what is not given is drawn. */
  addDoor(
    column: number,
    row: number,
    given: { side?: Side; color?: Color; locked?: boolean } = {},
  ): WorldObject {
    const room = this.room(column, row);
    let side = given.side;
    while (side === undefined) {
      const drawn = this.draws.side();
      if (room.neighbors[drawn] && !room.doors[drawn]) side = drawn;
    }
    const color = given.color ?? this.draws.pick(COLORS);
    const locked = given.locked ?? this.draws.coin();
    const cell = room.doorCells[side];
    const neighbor = room.neighbors[side];
    if (!cell || !neighbor)
      throw new AppError('internal', `${this.draws.label} has no neighbour on side ${side}`);
    room.locked = locked;
    const door = new WorldObject('door', color, locked ? 'locked' : 'closed');
    door.x = cell.x;
    door.y = cell.y;
    this.put(cell.x, cell.y, door);
    room.doors[side] = door;
    neighbor.doors[opposite(side)] = door;
    return door;
  }

  removeWall(column: number, row: number, side: Side): void {
    const room = this.room(column, row);
    const neighbor = room.neighbors[side];
    if (!neighbor) throw new AppError('internal', `${this.draws.label} has no neighbour on side ${side}`);
    const last = this.roomSize - 1;
    for (let offset = 1; offset < last; offset++) {
      if (side === 0 || side === 2) this.put(room.x + (side === 0 ? last : 0), room.y + offset, null);
      else this.put(room.x + offset, room.y + (side === 1 ? last : 0), null);
    }
    room.doors[side] = 'opening';
    neighbor.doors[opposite(side)] = 'opening';
  }

  /** The agent on a free cell, facing floor or a wall; the room is drawn where it is not given. */
  placeAgent(column?: number, row?: number): void {
    const drawnColumn = column ?? this.draws.integer(0, this.columns);
    const room = this.room(drawnColumn, row ?? this.draws.integer(0, this.rows));
    for (;;) {
      this.agentX = -1;
      this.agentY = -1;
      const { x, y } = this.freeCell(room, false);
      this.agentX = x;
      this.agentY = y;
      this.direction = this.draws.side();
      const front = this.at(x + DIRECTION_X[this.direction], y + DIRECTION_Y[this.direction]);
      if (!front || front.type === 'wall') return;
    }
  }

  /** Adds unlocked doors until every room can be reached from the agent's. */
  connectAll(colors: readonly Color[] = COLORS): void {
    const start = this.roomAt(this.agentX, this.agentY);
    let connected = countConnectedRooms(start);
    for (let tries = 0; tries <= CONNECTING_TRIES; tries++) {
      if (connected === this.rows * this.columns) return;
      const column = this.draws.integer(0, this.columns);
      const row = this.draws.integer(0, this.rows);
      const side = this.draws.side();
      const room = this.room(column, row);
      const neighbor = room.neighbors[side];
      if (!neighbor || room.doors[side] || room.locked || neighbor.locked) continue;
      this.addDoor(column, row, { side, color: this.draws.pick(colors), locked: false });
      connected = countConnectedRooms(start);
    }
    throw new LayoutRejected();
  }

  /** `count` objects of drawn colour and type, each in the given room or in a drawn one. */
  addDistractors(
    count: number,
    place: { column?: number; row?: number; unique?: boolean } = {},
  ): WorldObject[] {
    const taken = new Set(place.unique ? this.rooms.flat().flatMap(({ objects }) => objects.map(look)) : []);
    const added: WorldObject[] = [];
    while (added.length < count) {
      const color = this.draws.pick(COLORS);
      const type = this.draws.pick(CARRIABLE_TYPES);
      if (place.unique && taken.has(look({ type, color }))) continue;
      const column = place.column ?? this.draws.integer(0, this.columns);
      const row = place.row ?? this.draws.integer(0, this.rows);
      added.push(this.addObject(column, row, type, color));
      if (place.unique) taken.add(look({ type, color }));
    }
    return added;
  }

  requireObjectsReachable(): void {
    if (!isEveryObjectReachable(this)) throw new LayoutRejected();
  }
}

function look(object: { type: string; color: string }): string {
  return `${object.color} ${object.type}`;
}
