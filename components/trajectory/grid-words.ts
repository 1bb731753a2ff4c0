import type { GridPicture } from '@/contract/trajectory';

type GridObject = GridPicture['objects'][number];

/** A grid picture in words, for the list beside it. Columns and rows count from 0, outer walls included. */
export interface GridWords {
  agent: string;
  carries: string;
  sees: string;
  target: string;
  /** Some target stands on the grid and none of them is in view. */
  targetHidden: boolean;
}

export function isVisible(picture: GridPicture, x: number, y: number): boolean {
  return picture.visible[y * picture.width + x] === '1';
}

/** `red ball`, `blue locked door`, `wall`. */
export function nameObject(object: GridObject): string {
  if (object.type === 'wall') return 'wall';
  return [object.color, object.state, object.type].filter(Boolean).join(' ');
}

export function gridWords(picture: GridPicture): GridWords {
  const { agent, carrying } = picture;
  const things = picture.objects.filter((object) => object.type !== 'wall');
  const inView = things.filter((object) => isVisible(picture, object.x, object.y));
  const targets = things.filter((object) => object.target);
  const seenTargets = targets.filter((object) => isVisible(picture, object.x, object.y));
  return {
    agent: `column ${agent.x}, row ${agent.y}, facing ${agent.direction}`,
    carries: carrying ? `${carrying.color} ${carrying.type}` : 'nothing',
    sees: inView.length > 0 ? countNames(inView) : 'walls and floor only',
    target:
      targets.length === 0
        ? 'none on the grid'
        : `${countNames(targets)}, ${seenTargets.length > 0 ? 'in view' : 'not in view'}`,
    targetHidden: targets.length > 0 && seenTargets.length === 0,
  };
}

/** The whole picture as one sentence list, for those who do not see it. */
export function gridLabel(picture: GridPicture): string {
  const words = gridWords(picture);
  return (
    `Grid of ${picture.width} by ${picture.height} cells. Agent at ${words.agent}, ` +
    `carries ${words.carries}. Sees ${words.sees}. Target: ${words.target}.`
  );
}

/** `red ball, blue key ×2`, in order of first appearance. */
function countNames(objects: readonly GridObject[]): string {
  const counts = new Map<string, number>();
  for (const name of objects.map(nameObject)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join(', ');
}
