import { describe, expect, it } from 'vitest';
import { findLevel } from './levels/registry';
import { gateTasks, LAYOUT_SEEDS, splitTasks, trainTask } from './splits';
import { stateKey } from './state';
import { World } from './world';

function startKey(level: string, seed: number): string {
  const world = new World(findLevel(level), seed, 2, { solvable: true });
  return `${world.mission}\n${world.grid.width}\n${stateKey(world)}`;
}

describe('the layouts of all training seeds', () => {
  // The levels with the fewest different starts; on the others a twin is less likely by orders of magnitude.
  it.each(['OpenDoorLoc', 'UnlockLocalDist', 'PickupDistDebug'])(
    'hold no start of a validation or gate task of %s but the known twins',
    (level) => {
      const held = [...splitTasks('valid_seen'), ...gateTasks()].filter((task) => task.level === level);
      const heldStarts = new Set(held.map(({ seed }) => startKey(level, seed)));
      expect(heldStarts.size).toBe(120);
      const twins: number[] = [];
      for (let seed = LAYOUT_SEEDS.training.first; seed < LAYOUT_SEEDS.training.end; seed++) {
        if (heldStarts.has(startKey(level, seed))) twins.push(seed);
      }
      expect(twins).toEqual(level === 'OpenDoorLoc' ? [799_031, 905_627] : []);
    },
  );

  it('reach training through trainTask alone, which gives no twin in 100,000 draws, one of them by redrawing', () => {
    const seeds = Array.from(
      { length: 100_000 },
      (_, group) => trainTask({ runSeed: 89, step: 688, group, levels: ['OpenDoorLoc'] }).seed,
    );
    expect(seeds.filter((seed) => seed === 799_031 || seed === 905_627)).toEqual([]);
  });
});
