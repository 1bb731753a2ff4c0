import { describe, expect, it } from 'vitest';
import { GridPicture } from '@/contract/trajectory';
import { createRandom } from '@/rl/random';
import {
  expectIndependent,
  expectOffersAccepted,
  expectRepeatable,
  expectSnapshotsExact,
  expectWholeTexts,
} from '../testing/episode-contract';
import { createBabyAi } from './babyai';
import type { BabyAiEpisode } from './episode';
import { LEVELS } from './levels/registry';
import type { BabyAiSettings } from './options';
import { babyAiTask } from './task';
import { View } from './view';

const REFUSAL = /^You cannot (?!see any)|^There is a barrier|not recognized/;
const TURNS = 12;

/** The rules of a settings' base, without its turn cap. */
const RULES: [string, BabyAiSettings][] = [
  ['default rules', { maxTurns: null }],
  ['compat agentgym', { compat: 'agentgym' }],
];

describe.each(LEVELS.map(({ name }) => name))('%s', (name) => {
  const task = (seed: number) => babyAiTask(name, seed, 'train');

  describe.each(RULES)('under %s', (_name, settings) => {
    const environment = createBabyAi(settings);

    it('shows the same for the same seed and actions, in whole texts', async () => {
      for (const seed of [0, 7]) {
        const shown = await expectRepeatable(environment, task(seed), TURNS);
        const { goal } = environment.start(task(seed));
        expectWholeTexts(goal, shown);
      }
    });

    it('plays an episode untouched by another of the same level or seed', async () => {
      await expectIndependent(environment, [task(1), task(2)], TURNS);
      await expectIndependent(environment, [task(3), task(3)], TURNS);
    });

    it('accepts every action it offers', async () => {
      await expectOffersAccepted(environment, task(4), 6, REFUSAL);
    });

    it('restores a snapshot of any turn to the exact state', async () => {
      await expectSnapshotsExact(environment, task(5), 8);
    });
  });

  it('draws its grid, cell by cell, along a play', () => {
    const random = createRandom(6);
    const episode = createBabyAi({ maxTurns: null }).start(task(6));
    for (let turn = 0, done = false; turn < TURNS && !done; turn++) {
      expectPictured(episode);
      ({ done } = episode.step(random.pick(episode.observe().availableActions)));
    }
    expectPictured(episode);
  });
});

/** The episode's picture against its world and a fresh view of it. */
function expectPictured(episode: BabyAiEpisode): void {
  const { grid, carrying } = episode.world;
  const picture = episode.picture();
  expect(GridPicture.parse(picture)).toEqual(picture);
  const looks = (object: { type: string; color: string; state?: string } | null): string | null => {
    if (!object) return null;
    return [object.type, object.color, ...(object.type === 'door' ? [object.state] : [])].join(' ');
  };
  const pictured = new Array<string | null>(grid.cells.length).fill(null);
  for (const object of picture.objects) pictured[object.y * grid.width + object.x] = looks(object);
  expect(pictured).toEqual(grid.cells.map(looks));
  expect([picture.width, picture.height]).toEqual([grid.width, grid.height]);
  expect(picture.agent).toEqual({
    x: grid.agentX,
    y: grid.agentY,
    direction: ['right', 'down', 'left', 'up'][grid.direction],
  });
  expect(looks(picture.carrying)).toBe(looks(carrying));
  expect(seenInPicture(episode)).toEqual(seenInView(episode));
}

function seenInPicture(episode: BabyAiEpisode): Set<string> {
  const { visible, width, height } = episode.picture();
  expect(visible).toMatch(new RegExp(`^[01]{${width * height}}$`));
  const cells = [...visible].map((flag, cell) => ({ flag, x: cell % width, y: Math.floor(cell / width) }));
  return new Set(cells.filter(({ flag }) => flag === '1').map(({ x, y }) => `${x},${y}`));
}

function seenInView({ world }: BabyAiEpisode): Set<string> {
  const view = new View(world);
  const seen = new Set<string>();
  view.seen.forEach((flag, cell) => {
    if (flag === 1 && world.grid.contains(view.x(cell), view.y(cell)))
      seen.add(`${view.x(cell)},${view.y(cell)}`);
  });
  return seen;
}
