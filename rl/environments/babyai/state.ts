import { fnv1a64 } from '../split-hash';
import type { World } from './world';

const NOTHING = 0xff;

/**
 * All that can be told apart of a world in play, one character a cell: the grid row by row, what is carried, and the
 * agent's pose. Steps taken are left out.
 */
export function stateKey(world: World): string {
  const { grid, carrying } = world;
  const codes = grid.cells.map((object) => object?.code ?? NOTHING);
  codes.push(carrying?.code ?? NOTHING, grid.agentX, grid.agentY, grid.direction);
  return String.fromCharCode(...codes);
}

/** 64-bit FNV-1a of the state's key, as 16 hexadecimal digits. */
export function hashState(world: World): string {
  return fnv1a64(stateKey(world));
}
