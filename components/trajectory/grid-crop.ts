import { AppError } from '@/contract/errors';
import { decodeStatePicture } from '@/contract/state-picture';
import type { GridPicture, Trajectory } from '@/contract/trajectory';

/** A part of a grid, in cells. */
export interface GridCrop {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MARGIN = 1;
const SMALLEST = 8;

/**
 * The part of a large grid that trajectories of one task have to do with: all cells ever in view, where the agent
 * stood, the targets, and a margin. One part for all turns, so that the picture holds still. Null where it would be
 * nearly the whole grid.
 */
export function cropOf(trajectories: readonly Trajectory[]): GridCrop | null {
  const pictures = trajectories
    .flatMap(({ turns, finalPicture }) => [...turns.map((turn) => turn.picture), finalPicture])
    .flatMap((text) => readPicture(text) ?? []);
  const [first] = pictures;
  if (!first) return null;
  const cells = pictures.flatMap(cellsThatMatter);
  const columns = span(
    cells.map((cell) => cell.x),
    first.width,
  );
  const rows = span(
    cells.map((cell) => cell.y),
    first.height,
  );
  if (columns.length * rows.length > 0.7 * first.width * first.height) return null;
  return { x: columns.start, y: rows.start, width: columns.length, height: rows.length };
}

function cellsThatMatter(picture: GridPicture): { x: number; y: number }[] {
  const seen = [...picture.visible].flatMap((bit, index) =>
    bit === '1' ? [{ x: index % picture.width, y: Math.floor(index / picture.width) }] : [],
  );
  return [...seen, picture.agent, ...picture.objects.filter((object) => object.target)];
}

/** A stretch within 0 .. size - 1 that holds all values and their margin, of at least SMALLEST cells. */
function span(values: readonly number[], size: number): { start: number; length: number } {
  const least = Math.max(0, values.reduce((low, value) => Math.min(low, value), size - 1) - MARGIN);
  const most = Math.min(size - 1, values.reduce((high, value) => Math.max(high, value), 0) + MARGIN);
  const length = Math.min(size, Math.max(SMALLEST, most - least + 1));
  const start = least - Math.floor((length - (most - least + 1)) / 2);
  return { start: Math.min(Math.max(start, 0), size - length), length };
}

function readPicture(text: string | null): GridPicture | null {
  try {
    const picture = text === null ? null : decodeStatePicture(text);
    return picture?.kind === 'grid' ? picture : null;
  } catch (error) {
    // The panel of the turn says what is wrong with it.
    if (error instanceof AppError) return null;
    throw error;
  }
}
