import { describe, expect, it } from 'vitest';
import { createBabyAi } from '../babyai';
import { babyAiTask } from '../task';
import { printGrid } from '../transcript';
import { AGENTGYM_LEVEL_COUNT, findLevel, findLevelOfNumber, LEVELS } from './registry';

describe('LEVELS', () => {
  it('are AgentGym’s forty, each name once', () => {
    expect(LEVELS.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(new Set(LEVELS.map(({ name }) => name)).size).toBe(AGENTGYM_LEVEL_COUNT);
  });

  it('are found by name, and the error for another lists them', () => {
    expect(findLevel('Open').number).toBe(12);
    expect(() => findLevel('GoToMoon')).toThrow(/no BabyAI level "GoToMoon".*GoToLocalS8N7/);
  });

  it('are found by AgentGym’s number, and the error for another says which there are', () => {
    expect(findLevelOfNumber(4).name).toBe('GoToObjS6');
    expect(() => findLevelOfNumber(41)).toThrow(/1 \.\. 40, got 41/);
  });
});

describe('GoToObjS6', () => {
  it('is one room of side 6 with one object to go to, and 36 steps', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { world } = createBabyAi().start(babyAiTask('GoToObjS6', seed, 'train'));
      const objects = world.grid.cells.filter((object) => object && object.type !== 'wall');
      expect([world.grid.width, world.grid.height, world.maxSteps]).toEqual([6, 6, 36]);
      expect(objects).toHaveLength(1);
      expect(world.mission).toBe(`go to the ${objects[0]?.color} ${objects[0]?.type}`);
    }
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
});

describe('a seed without a layout', () => {
  it('is an error that names level and seed, with one reset and with two', () => {
    for (const doubleReset of [false, true]) {
      const environment = createBabyAi({ doubleReset });
      expect(() => environment.start(babyAiTask('SynthS5R2', 2678, 'train'))).toThrow(
        /babyai\/SynthS5R2\/2678 has no layout/,
      );
    }
  });
});
