import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { createBabyAi } from '../babyai';
import { babyAiTask } from '../task';
import { printGrid } from '../transcript';
import { findLevel, LEVELS } from './registry';

describe('LEVELS', () => {
  it('are AgentGym’s forty but the one that upstream does not have', () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1).filter((number) => number !== 4);
    expect(LEVELS.map(({ number }) => number)).toEqual(numbers);
    expect(new Set(LEVELS.map(({ name }) => name)).size).toBe(39);
  });

  it('are found by name, and the error for another lists them', () => {
    expect(findLevel('Open').number).toBe(12);
    expect(() => findLevel('GoToObjS6')).toThrow(/no BabyAI level "GoToObjS6".*GoToLocalS8N7/);
  });
});

describe.each(LEVELS.map(({ name }) => name))('%s', (name) => {
  const environment = createBabyAi();
  const start = (seed: number) => environment.start(babyAiTask(name, seed, 'train'));

  it('gives a seed the same layout and mission again, and seeds different ones', () => {
    const grids = [1, 1, 2, 3].map((seed) => {
      const { world, goal } = start(seed);
      return `${goal}\n${printGrid(world.grid)}`;
    });
    expect(grids[0]).toBe(grids[1]);
    expect(new Set(grids).size).toBeGreaterThan(1);
  });

  it('starts the agent on a free cell of a closed grid, with a mission that is not yet done', () => {
    for (let seed = 0; seed < 5; seed++) {
      const { world } = start(seed);
      const { grid } = world;
      expect(grid.at(grid.agentX, grid.agentY)).toBeNull();
      for (let x = 0; x < grid.width; x++) {
        expect(grid.at(x, 0)?.type).toBe('wall');
        expect(grid.at(x, grid.height - 1)?.type).toBe('wall');
      }
      for (let y = 0; y < grid.height; y++) {
        expect(grid.at(0, y)?.type).toBe('wall');
        expect(grid.at(grid.width - 1, y)?.type).toBe('wall');
      }
      expect(world.mission).toMatch(/^(go to|pick up|open|put) (the|a) /);
    }
  });

  it('plays offered actions without a refusal', () => {
    const random = createRandom(1);
    const episode = start(0);
    for (let done = false; !done;) {
      const result = episode.step(random.pick(episode.observe().availableActions));
      expect(result.valid).toBe(true);
      done = result.done;
    }
  });
});

describe('a seed without a layout', () => {
  it('is an error that names level and seed', () => {
    const environment = createBabyAi();
    expect(() => environment.start(babyAiTask('SynthS5R2', 2678, 'train'))).toThrow(
      /babyai\/SynthS5R2\/2678/,
    );
  });
});
