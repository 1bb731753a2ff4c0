import { describe, expect, it } from 'vitest';
import { HOUSEHOLD_TASK_TYPES } from '@/contract/environments/household';
import { splitHash } from '../split-hash';
import { HELD_OUT_ROOMS, TRAINING_ROOMS } from './rooms';
import { gateTasks, splitTasks, startKey, taskList, TASK_SEEDS, trainTask } from './splits';
import { parseHouseholdTaskId } from './task';

/** Every task the training of a run draws. */
function trainingTasks(runSeed: number, steps: number) {
  return Array.from({ length: steps * 12 }, (_, index) =>
    trainTask({ runSeed, step: Math.floor(index / 12), group: index % 12 }),
  );
}

describe('splits', () => {
  it('are fixed: their hashes change only with the lists', () => {
    expect(splitHash(splitTasks('train'))).toMatchInlineSnapshot(`"86ae99c2b7de6517"`);
    expect(splitHash(splitTasks('valid_seen'))).toMatchInlineSnapshot(`"39757c442d5fa1f7"`);
    expect(splitHash(splitTasks('valid_unseen'))).toMatchInlineSnapshot(`"d7517c41873ad637"`);
    expect(splitHash(gateTasks('valid_seen'))).toMatchInlineSnapshot(`"5cf19c3a650e6097"`);
    expect(splitHash(gateTasks('valid_unseen'))).toMatchInlineSnapshot(`"d48830f7d597d8e7"`);
  });

  it('take the task types in turn, then the rooms, so that a shorter list is balanced too', () => {
    const tasks = splitTasks('valid_seen', 12);
    expect(tasks.map(({ taskType }) => taskType)).toEqual([...HOUSEHOLD_TASK_TYPES, ...HOUSEHOLD_TASK_TYPES]);
    expect(tasks[0]).toEqual({
      id: 'household/scullery/place/1000000',
      taskType: 'place',
      split: 'valid_seen',
      room: 'scullery',
      seed: 1_000_000,
    });
    expect(tasks[11]?.id).toBe('household/bakehouse/examine_in_light/1000001');
  });

  it('have 40 tasks of each type, those unseen in rooms of their own', () => {
    for (const [split, rooms] of [
      ['valid_seen', TRAINING_ROOMS],
      ['valid_unseen', HELD_OUT_ROOMS],
    ] as const) {
      for (const tasks of [splitTasks(split), gateTasks(split)]) {
        for (const type of HOUSEHOLD_TASK_TYPES)
          expect(tasks.filter(({ taskType }) => taskType === type)).toHaveLength(40);
        expect(new Set(tasks.map(({ id }) => id)).size).toBe(240);
        expect(new Set(tasks.map(({ room }) => room))).toEqual(new Set(rooms.map(({ name }) => name)));
      }
    }
  });

  it('refuse more tasks than they have and a split that is not there', () => {
    expect(() => splitTasks('valid_unseen', 241)).toThrow(/valid_unseen has 240 tasks, asked for 241/);
    expect(() => splitTasks('test' as 'train')).toThrow(/no split "test"/);
    expect(() => taskList([], 0, 1, 'train')).toThrow(/at least one room/);
  });

  it('hold no start that occurs among demonstrations or training tasks', () => {
    const seen = [...splitTasks('valid_seen'), ...gateTasks('valid_seen')].map(startKey);
    const held = new Set([
      ...seen,
      ...[...splitTasks('valid_unseen'), ...gateTasks('valid_unseen')].map(startKey),
    ]);
    expect(held.size).toBe(960);
    const demonstrated = taskList(TRAINING_ROOMS, TASK_SEEDS.demonstrations.first, 2400, 'train');
    const trained = [1, 2, 3].flatMap((runSeed) => trainingTasks(runSeed, 80));
    expect(trained).toHaveLength(2880);
    expect([...demonstrated, ...trained].filter((task) => held.has(startKey(task)))).toEqual([]);
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

  it('draws rooms and types evenly, in training rooms alone, from the training seeds', () => {
    const tasks = trainingTasks(1, 100);
    const shareOf = (suits: (task: (typeof tasks)[number]) => boolean) =>
      tasks.filter(suits).length / tasks.length;
    for (const { name } of TRAINING_ROOMS)
      expect(Math.abs(shareOf(({ room }) => room === name) - 1 / 20)).toBeLessThan(0.025);
    for (const type of HOUSEHOLD_TASK_TYPES)
      expect(Math.abs(shareOf(({ taskType }) => taskType === type) - 1 / 6)).toBeLessThan(0.04);
    for (const { seed } of tasks) {
      expect(seed).toBeGreaterThanOrEqual(TASK_SEEDS.training.first);
      expect(seed).toBeLessThan(TASK_SEEDS.training.end);
    }
  });

  it('draws from the task types given', () => {
    const { taskType } = trainTask({ runSeed: 1, step: 0, group: 0, taskTypes: ['cool_and_place'] });
    expect(taskType).toBe('cool_and_place');
  });
});

describe('task ids', () => {
  it('give back the task', () => {
    for (const task of splitTasks('valid_unseen', 12))
      expect(parseHouseholdTaskId(task.id, task.split)).toEqual(task);
  });

  it('are refused where room, type or seed is not one there is', () => {
    const parse = (id: string) => () => parseHouseholdTaskId(id, 'train');
    expect(parse('household/igloo/place/1')).toThrow(/no household room "igloo"/);
    expect(parse('household/attic/sell/1')).toThrow(/no household task type "sell"/);
    expect(parse('household/attic/place/01')).toThrow(/household\/ROOM\/TYPE\/SEED/);
    expect(parse('household/attic/place/99999999999999999999')).toThrow(/0 \.\. 2\^53 - 1/);
    expect(parse('alfworld/attic/place/1')).toThrow(/got "alfworld\/attic\/place\/1"/);
  });
});
