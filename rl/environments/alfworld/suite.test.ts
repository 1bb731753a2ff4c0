import { describe, expect, it } from 'vitest';
import { ALFWORLD_TASK_TYPES } from '@/contract/environments/alfworld';
import { openAlfWorld } from './suite';
import { alfWorldTask } from './task';
import { smallGameText } from './testing/small-game';

const games = (folder: string, type: string, count: number) =>
  Array.from({ length: count }, (_, index) => alfWorldTask(`${folder}/${type}-A-None-B-1/trial_${index}`));

const TRAIN = [...games('train', 'pick_two_obj_and_place', 3), ...games('train', 'pick_and_place_simple', 3)];

const open = (taskTypes = [...ALFWORLD_TASK_TYPES]) =>
  openAlfWorld({
    games: { train: TRAIN, valid_seen: games('valid_seen', 'pick_and_place_simple', 4), valid_unseen: [] },
    taskTypes,
    readGame: () => smallGameText(),
    maxTurns: 20,
  });

describe('openAlfWorld', () => {
  it('gives the first games of a split, and refuses to give more than there are', () => {
    const suite = open();
    expect(suite.splitTasks('valid_seen', 2).map(({ id }) => id.slice(-7))).toEqual(['trial_0', 'trial_1']);
    expect(() => suite.splitTasks('valid_unseen', 1)).toThrow(
      'The split valid_unseen has 0 games, asked for 1',
    );
  });

  it('draws training games by seed, step and group, of the types asked for', () => {
    const draws = (suite: ReturnType<typeof open>) =>
      Array.from({ length: 60 }, (_, group) => suite.trainTask({ runSeed: 1, step: 2, group }).id);
    expect(draws(open())).toEqual(draws(open()));
    expect(new Set(draws(open())).size).toBe(6);
    const two = draws(open(['pick_two_obj_and_place']));
    expect([...new Set(two)].sort()).toEqual(TRAIN.slice(0, 3).map(({ id }) => id));
    expect(() => draws(open(['look_at_obj_in_light']))).toThrow(
      /no training game of the types look_at_obj_in_light/,
    );
  });

  it('has a planner that wins and a random player that never says what is not admissible', () => {
    const suite = open();
    const tasks = suite.splitTasks('valid_seen', 4);
    const [random, planner] = suite.controls;
    expect(planner?.play(tasks, 1)).toEqual(
      tasks.map((task) => ({ task, success: true, reward: 1, turns: 5, invalidActions: 0 })),
    );
    const outcomes = random?.play(tasks, 1) ?? [];
    expect(outcomes).toEqual(random?.play(tasks, 1));
    expect(outcomes.map(({ invalidActions }) => invalidActions)).toEqual([0, 0, 0, 0]);
    expect(outcomes.every(({ success, reward, turns }) => reward === (success ? 1 : 0) && turns <= 20)).toBe(
      true,
    );
  });
});
