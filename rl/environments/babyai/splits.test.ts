import { describe, expect, it } from 'vitest';
import { BABYAI_HELD_OUT_LEVELS, BABYAI_TRAINING_LEVELS } from '@/contract/environments/babyai';
import { createRandom, hashSeed } from '@/rl/random';
import { createBabyAi } from './babyai';
import { stateKey } from './state';
import { splitHash } from '../split-hash';
import { gateTasks, LAYOUT_SEEDS, splitTasks, taskList, trainTask } from './splits';
import type { BabyAiTask } from './task';

const environment = createBabyAi();

/** Mission and layout: equal for tasks that start alike. */
function startKey(task: BabyAiTask): string {
  const { world } = environment.start(task);
  return `${world.mission}\n${world.grid.width}\n${stateKey(world)}`;
}

/** Every task the training of a run draws. */
function trainingTasks(runSeed: number, steps: number): BabyAiTask[] {
  return Array.from({ length: steps * 16 }, (_, index) =>
    trainTask({ runSeed, step: Math.floor(index / 16), group: index % 16 }),
  );
}

describe('splits', () => {
  it('are fixed: their hashes change only with the lists', () => {
    expect(splitHash(splitTasks('train'))).toMatchInlineSnapshot(`"ab123f14dacafa0f"`);
    expect(splitHash(splitTasks('valid_seen'))).toMatchInlineSnapshot(`"6bfe5495b907a657"`);
    expect(splitHash(splitTasks('valid_unseen'))).toMatchInlineSnapshot(`"99285283fb2efe27"`);
    expect(splitHash(gateTasks())).toMatchInlineSnapshot(`"837e4d57ae7e31d7"`);
  });

  it('take the levels in turn, so that a shorter list is balanced too', () => {
    const tasks = splitTasks('valid_seen', 14);
    expect(tasks.map(({ level }) => level)).toEqual([...BABYAI_TRAINING_LEVELS, ...BABYAI_TRAINING_LEVELS]);
    expect(tasks[0]).toEqual({
      id: 'babyai/GoToLocalS8N7/1000000',
      level: 'GoToLocalS8N7',
      seed: 1_000_000,
      split: 'valid_seen',
      taskType: 'goto',
    });
    expect(tasks[13]?.id).toBe('babyai/UnlockLocalDist/1000001');
  });

  it('have 60 tasks of each level', () => {
    for (const [split, levels] of [
      ['valid_seen', BABYAI_TRAINING_LEVELS],
      ['valid_unseen', BABYAI_HELD_OUT_LEVELS],
    ] as const) {
      const tasks = splitTasks(split);
      for (const level of levels) expect(tasks.filter((task) => task.level === level)).toHaveLength(60);
      expect(new Set(tasks.map(({ id }) => id)).size).toBe(60 * levels.length);
    }
  });

  it('hash by ids and their order', () => {
    const tasks = splitTasks('valid_seen', 3);
    expect(splitHash(tasks)).not.toBe(splitHash([...tasks].reverse()));
    expect(splitHash(tasks)).not.toBe(splitHash(tasks.slice(0, 2)));
    expect(splitHash(tasks)).toBe(splitHash(splitTasks('valid_seen', 3)));
  });

  it('refuse more tasks than they have, and a split, level, count or seed that is not there', () => {
    expect(() => splitTasks('valid_unseen', 121)).toThrow(/valid_unseen has 120 tasks, asked for 121/);
    // A command line may name any split.
    expect(() => splitTasks('test' as 'train')).toThrow(
      'There is no split "test". Splits: train, valid_seen, valid_unseen',
    );
    expect(() => splitTasks('valid_seen', 1.5)).toThrow(/count must be a positive integer, got 1.5/);
    expect(() => taskList(['Open'], -1, 1, 'train')).toThrow(/seed of level Open .* got -1/);
    expect(() => taskList([], 0, 1, 'train')).toThrow(/at least one level/);
    expect(() => taskList(['GoToMoon'], 0, 1, 'train')).toThrow(/no BabyAI level "GoToMoon"/);
    expect(() => taskList(['Open'], 0, 0, 'train')).toThrow(/count .* got 0/);
  });

  it('hold no start that occurs among demonstrations or training tasks', { timeout: 60_000 }, () => {
    const held = [...splitTasks('valid_seen'), ...splitTasks('valid_unseen'), ...gateTasks()];
    const heldStarts = new Set(held.map(startKey));
    expect(heldStarts.size).toBe(960);
    const demonstrated = taskList(BABYAI_TRAINING_LEVELS, LAYOUT_SEEDS.demonstrations.first, 2800, 'train');
    const trained = [1, 2, 3].flatMap((runSeed) => trainingTasks(runSeed, 120));
    expect(trained).toHaveLength(5760);
    const shared = [...demonstrated, ...trained].filter((task) => heldStarts.has(startKey(task)));
    expect(shared).toEqual([]);
  });

  it('share a start between tasks that differ in their seed alone, which trainTask therefore skips', () => {
    const twins = [
      ['babyai/OpenDoorLoc/799031', 799_031, 3_000_044],
      ['babyai/OpenDoorLoc/905627', 905_627, 3_000_012],
    ] as const;
    const held = new Set(gateTasks().map(({ seed }) => seed));
    for (const [id, trainSeed, gateSeed] of twins) {
      const [twin] = taskList(['OpenDoorLoc'], trainSeed, 1, 'train');
      const [gate] = taskList(['OpenDoorLoc'], gateSeed, 1, 'valid_seen');
      if (!twin || !gate) throw new Error('a list of one task has one');
      expect(twin.id).toBe(id);
      expect(held.has(gateSeed)).toBe(true);
      expect(startKey(twin)).toBe(startKey(gate));
    }
  });
});

describe('trainTask', () => {
  it('gives a group the same task again, and other groups, steps and runs other ones', () => {
    const draw = { runSeed: 1, step: 2, group: 3 };
    expect(trainTask(draw)).toEqual(trainTask(draw));
    const ids = [draw, { ...draw, group: 4 }, { ...draw, step: 3 }, { ...draw, runSeed: 2 }].map(
      (other) => trainTask(other).id,
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('draws the levels evenly and the seeds over the whole training range', () => {
    const tasks = trainingTasks(1, 120);
    for (const level of BABYAI_TRAINING_LEVELS) {
      const share = tasks.filter((task) => task.level === level).length / tasks.length;
      expect(Math.abs(share - 1 / 7)).toBeLessThan(0.03);
    }
    const seeds = tasks.map(({ seed }) => seed);
    expect(Math.min(...seeds)).toBeGreaterThanOrEqual(100_000);
    expect(Math.min(...seeds)).toBeLessThan(105_000);
    expect(Math.max(...seeds)).toBeLessThan(1_000_000);
    expect(Math.max(...seeds)).toBeGreaterThan(995_000);
  });

  it('draws again where the first draw starts like a gate task', () => {
    const draw = { runSeed: 89, step: 688, group: 8, levels: ['OpenDoorLoc'] };
    const random = createRandom(hashSeed('babyai train task', 89, 688, 8));
    random.pick(['OpenDoorLoc']);
    expect(LAYOUT_SEEDS.training.first + random.integer(900_000)).toBe(799_031);
    expect(trainTask(draw).id).toBe('babyai/OpenDoorLoc/270282');
  });

  it('draws from the levels given', () => {
    expect(trainTask({ runSeed: 1, step: 0, group: 0, levels: ['Pickup'] }).level).toBe('Pickup');
  });
});
