import { AppError } from './errors';
import type { GridPicture } from './trajectory';

/**
 * A grid picture as one short string, since every turn stores one:
 * `1;width;height;x,y,direction;carrying;cells;visible;targets`. `cells` has two characters a cell, type and
 * colour, run-length coded; `visible` is hexadecimal, most significant bit first; `targets` are cell indices.
 */
const TYPE_CODES = { wall: 'W', key: 'K', ball: 'A', box: 'B', goal: 'G', lava: 'V' } as const;
const DOOR_CODES = { open: 'O', closed: 'D', locked: 'L' } as const;
const COLORS = ['red', 'green', 'blue', 'purple', 'yellow', 'grey'] as const;
const DIRECTIONS = ['right', 'down', 'left', 'up'] as const;

type GridObject = GridPicture['objects'][number];

export function encodeGridPicture(picture: GridPicture): string {
  const { width, height, agent, carrying } = picture;
  const cells = new Array<string>(width * height).fill('..');
  const targets: number[] = [];
  for (const object of picture.objects) {
    const index = object.y * width + object.x;
    cells[index] = objectCode(object);
    if (object.target) targets.push(index);
  }
  const held = carrying ? `${carrying.type} ${carrying.color}` : '';
  return [
    '1',
    width,
    height,
    `${agent.x},${agent.y},${DIRECTIONS.indexOf(agent.direction)}`,
    held,
    runLengths(cells),
    bitsToHex(picture.visible),
    targets.join(','),
  ].join(';');
}

/** The inverse of `encodeGridPicture`; throws `invalid_input` on a string it did not make. */
export function decodeGridPicture(text: string): GridPicture {
  const [version, widthText, heightText, agentText, held, cellText, hex, targetText] = text.split(';');
  const width = Number(widthText);
  const height = Number(heightText);
  const [x, y, direction] = (agentText ?? '').split(',').map(Number);
  const facing = DIRECTIONS[direction ?? -1];
  const cells = [...(cellText ?? '').matchAll(/(\d*)([A-Z.][a-z.])/g)].flatMap(([, count, code]) =>
    new Array<string>(Math.min(Number(count || 1), 100_000)).fill(code ?? '..'),
  );
  if (version !== '1' || x === undefined || y === undefined || !facing || cells.length !== width * height)
    throw new AppError('invalid_input', `not a grid picture: ${text.slice(0, 80)}`);
  const targets = new Set((targetText ?? '').split(',').filter(Boolean).map(Number));
  const [heldType, heldColor] = (held ?? '').split(' ');
  return {
    kind: 'grid',
    width,
    height,
    objects: cells.flatMap((code, index) => {
      if (code === '..') return [];
      const object = objectOfCode(code, index % width, Math.floor(index / width));
      return [targets.has(index) ? { ...object, target: true } : object];
    }),
    agent: { x, y, direction: facing },
    carrying: heldType && heldColor ? { type: heldType, color: heldColor } : null,
    visible: hexToBits(hex ?? '', width * height),
  };
}

function objectCode(object: GridObject): string {
  const type = object.type === 'door' ? DOOR_CODES[object.state ?? 'closed'] : TYPE_CODES[object.type];
  return type + colorLetter(object.color);
}

/** First letter, but `e` for grey, since green comes first. */
function colorLetter(color: string): string {
  return color === 'grey' ? 'e' : (color[0] ?? '.');
}

function objectOfCode(code: string, x: number, y: number): GridObject {
  const color = COLORS.find((name) => colorLetter(name) === code[1]);
  const type = code[0] ?? '';
  const door = (['open', 'closed', 'locked'] as const).find((state) => DOOR_CODES[state] === type);
  if (door && color) return { x, y, type: 'door', color, state: door };
  const plain = (['wall', 'key', 'ball', 'box', 'goal', 'lava'] as const).find(
    (name) => TYPE_CODES[name] === type,
  );
  if (!plain || !color) throw new AppError('invalid_input', `not a grid cell: ${code}`);
  return { x, y, type: plain, color };
}

function runLengths(cells: readonly string[]): string {
  let text = '';
  for (let start = 0; start < cells.length;) {
    let end = start + 1;
    while (end < cells.length && cells[end] === cells[start]) end++;
    text += (end - start > 1 ? end - start : '') + (cells[start] ?? '..');
    start = end;
  }
  return text;
}

function bitsToHex(bits: string): string {
  let hex = '';
  for (let start = 0; start < bits.length; start += 4)
    hex += parseInt(bits.slice(start, start + 4).padEnd(4, '0'), 2).toString(16);
  return hex;
}

function hexToBits(hex: string, length: number): string {
  return [...hex]
    .map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('')
    .slice(0, length)
    .padEnd(length, '0');
}
