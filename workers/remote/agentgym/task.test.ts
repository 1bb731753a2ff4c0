import { describe, expect, it } from 'vitest';
import { AGENTGYM_GAMES, AGENTGYM_SPLIT_SIZES } from '@/contract/environments/agentgym';
import { SPLITS } from '@/contract/trajectory';
import { findLevel } from '@/rl/environments/babyai/levels/registry';
import { stateKey } from '@/rl/environments/babyai/state';
import { agentGymTask } from '@/rl/environments/babyai/task';
import { World } from '@/rl/environments/babyai/world';
import { splitHash } from '@/rl/environments/split-hash';
import { itemTask, splitTasks, trainTask, type AgentGymTask } from './task';

describe('the tasks of an AgentGym server', () => {
  it('are AgentGym’s items, BabyAI’s with the task type of their level', () => {
    // 40 * 7 + 11 is layout seed 7 of level 12, Open.
    expect(itemTask('babyai', 291, 'train')).toEqual({
      id: 'agentgym/babyai_291',
      taskType: 'open',
      split: 'train',
      game: 'babyai',
      index: 291,
    });
    expect(itemTask('alfworld', 2419, 'train')).toMatchObject({
      id: 'agentgym/alfworld_2419',
      taskType: 'alfworld',
    });
    expect(() => itemTask('alfworld', -1, 'train')).toThrow('a whole number from 0, got -1');
  });

  it('come in lists of the stated sizes that share no task', () => {
    for (const game of AGENTGYM_GAMES) {
      const lists = SPLITS.map((split) => splitTasks(game, split, AGENTGYM_SPLIT_SIZES[game][split]));
      expect(lists.map((list) => list.length)).toEqual(
        SPLITS.map((split) => AGENTGYM_SPLIT_SIZES[game][split]),
      );
      const ids = lists.flat().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(() => splitTasks('alfworld', 'valid_unseen', 1)).toThrow(
      'The split valid_unseen of alfworld has 0 tasks, asked for 1',
    );
  });

  it('are listed in an order that stays', () => {
    expect(splitHash(splitTasks('babyai', 'valid_seen', 192))).toBe('6446304f21ed0ecc');
    expect(splitHash(splitTasks('babyai', 'valid_unseen', 120))).toBe('902a01a752ad70cf');
    expect(splitHash(splitTasks('alfworld', 'valid_seen', 200))).toBe('77e51a4da5420607');
  });

  it('keep the held-out levels and what cannot be played out of training', () => {
    const levelsOf = (list: readonly AgentGymTask[]) => new Set(list.map(({ index }) => (index % 40) + 1));
    const trained = levelsOf(splitTasks('babyai', 'train', 3600));
    expect(trained.size).toBe(36);
    for (const number of [4, 10, 17, 26]) expect(trained.has(number)).toBe(false);
    expect([...levelsOf(splitTasks('babyai', 'valid_unseen', 120))]).toEqual([10, 17]);
    expect(
      [...levelsOf(splitTasks('babyai', 'valid_seen', 192))].every((number) => trained.has(number)),
    ).toBe(true);
  });

  it('never validate on a start that BabyAI’s training has, nor on one twice', () => {
    const startOf = ({ index, split }: AgentGymTask): string => {
      const { level, seed } = agentGymTask(index, split);
      const world = new World(findLevel(level), seed, 2, { solvable: false });
      return `${world.mission}\n${world.grid.width}\n${stateKey(world)}`;
    };
    const trained = new Set(splitTasks('babyai', 'train', 3600).map(startOf));
    const validated = [
      ...splitTasks('babyai', 'valid_seen', 192),
      ...splitTasks('babyai', 'valid_unseen', 120),
    ];
    expect(validated.filter((task) => trained.has(startOf(task)))).toEqual([]);
    expect(new Set(validated.map(startOf)).size).toBe(312);
  });

  it('are drawn for training by run seed, step and group, from the training list alone', () => {
    const draw = (group: number, runSeed = 1) => trainTask('babyai', { runSeed, step: 3, group });
    const drawn = Array.from({ length: 500 }, (_, group) => draw(group));
    expect(draw(7)).toEqual(drawn[7]);
    expect(draw(7, 2)).not.toEqual(drawn[7]);
    const listed = new Set(splitTasks('babyai', 'train', 3600).map(({ id }) => id));
    expect(drawn.every(({ id }) => listed.has(id))).toBe(true);
    expect(new Set(drawn.map(({ id }) => id)).size).toBeGreaterThan(400);
  });
});
