import { describe, expect, it } from 'vitest';
import { BABYAI_TRAINING_LEVELS } from '@/contract/environments/babyai';
import { createRandom } from '@/rl/random';
import { createBabyAi } from './babyai';
import type { Grid } from './grid';
import { DIRECTION_X, DIRECTION_Y, type Direction } from './objects';
import { PathSearch } from './path-search';
import { babyAiTask } from './task';
import { View } from './view';

interface Pose {
  x: number;
  y: number;
  direction: Direction;
}

const key = ({ x, y, direction }: Pose): string => `${x},${y},${direction}`;

/** AgentGym's find_path as it is written: one search a goal, visited on leaving the queue, parents overwritten. */
function findPath(grid: Grid, view: View, isGoal: (pose: Pose) => boolean): number[] | null {
  const start: Pose = { x: grid.agentX, y: grid.agentY, direction: grid.direction };
  const [fx, fy] = [DIRECTION_X[grid.direction], DIRECTION_Y[grid.direction]];
  const [rx, ry] = [-fy, fx];
  const range = (agent: number, f: number, r: number): [number, number] => {
    const corner = agent + 6 * f - 3 * r;
    const end = corner + 7 * (r - f);
    return end < corner ? [end, corner] : [corner, end - 1];
  };
  const [left, right] = range(grid.agentX, fx, rx);
  const [top, bottom] = range(grid.agentY, fy, ry);
  const obstacles = new Set<string>();
  view.objects.forEach((object, cell) => {
    const [x, y] = [view.x(cell), view.y(cell)];
    // The agent's own cell shows what it carries.
    const isOwn = x === grid.agentX && y === grid.agentY;
    if (object && object.type !== 'door' && !isOwn) obstacles.add(`${x},${y}`);
  });
  const parents = new Map<string, { from: Pose; action: number }>();
  const visited = new Set<string>();
  const queue = [start];
  for (const pose of queue) {
    visited.add(key(pose));
    if (isGoal(pose)) {
      const path: number[] = [];
      for (let at = pose; key(at) !== key(start);) {
        const parent = parents.get(key(at));
        if (!parent) throw new Error('a visited pose has a parent');
        path.push(parent.action);
        at = parent.from;
      }
      return path.reverse();
    }
    const { x, y, direction } = pose;
    const next: [number, Pose][] = [
      [2, { x: x + DIRECTION_X[direction], y: y + DIRECTION_Y[direction], direction }],
      [0, { x, y, direction: ((direction + 3) % 4) as Direction }],
      [1, { x, y, direction: ((direction + 1) % 4) as Direction }],
    ];
    for (const [action, to] of next) {
      if (to.x < left || to.x > right || to.y < top || to.y > bottom) continue;
      if (visited.has(key(to)) || obstacles.has(`${to.x},${to.y}`)) continue;
      queue.push(to);
      parents.set(key(to), { from: pose, action });
    }
  }
  return null;
}

describe('PathSearch', () => {
  it(
    'finds the very ways of the search it replaces, for every object in view and both ends',
    { timeout: 60_000 },
    () => {
      const environment = createBabyAi({ maxTurns: 10 });
      const random = createRandom(1);
      const search = new PathSearch();
      let compared = 0;
      let unreachable = 0;
      for (const level of [...BABYAI_TRAINING_LEVELS, 'BossLevel', 'SynthS5R2']) {
        for (let seed = 0; seed < 4; seed++) {
          const episode = environment.start(babyAiTask(level, seed, 'train'));
          for (let done = false; !done;) {
            const { grid } = episode.world;
            const view = new View(episode.world);
            search.begin(view, grid.agentX, grid.agentY, grid.direction);
            for (const { cell } of episode.currentSightings.objects) {
              const [x, y] = [view.x(cell), view.y(cell)];
              const face = search.toFace(x, y);
              const faced = findPath(
                grid,
                view,
                (pose) =>
                  pose.x + DIRECTION_X[pose.direction] === x && pose.y + DIRECTION_Y[pose.direction] === y,
              );
              expect(face === null ? null : search.way(face)).toEqual(faced);
              const stand = search.toStand(x, y);
              const stood = findPath(grid, view, (pose) => pose.x === x && pose.y === y);
              expect(stand === null ? null : search.way(stand)).toEqual(stood);
              compared += 2;
              if (!faced) unreachable++;
            }
            done = episode.step(random.pick(episode.observe().availableActions)).done;
          }
        }
      }
      expect(compared).toBeGreaterThan(1000);
      expect(unreachable).toBeGreaterThan(0);
    },
  );
});
