import { describe, expect, it } from 'vitest';
import { BABYAI_TEXT_SPLIT_SIZES, BABYAI_TEXT_TASK_TYPES } from '@/contract/environments/babyai-text';
import { SPLITS, type Split } from '@/contract/trajectory';
import { LAYOUT_SEEDS } from '../babyai/splits';
import { stateKey } from '../babyai/state';
import { splitHash } from '../split-hash';
import { createBabyAiText } from './babyai-text';
import { BABYAI_TEXT_50_SEEDS, babyAiText50Tasks, babyAiTextSplitTasks, babyAiTextTrainTask } from './splits';
import type { BabyAiTextTask } from './task';

const environment = createBabyAiText();

/** Mission and layout: equal for tasks that start alike. */
function startKey(task: BabyAiTextTask): string {
  const { world } = environment.start(task);
  return `${world.mission}\n${world.grid.width}\n${stateKey(world)}`;
}

function trainingTasks(runSeed: number, count: number): BabyAiTextTask[] {
  return Array.from({ length: count }, (_, index) =>
    babyAiTextTrainTask({ runSeed, step: Math.floor(index / 16), group: index % 16 }),
  );
}

describe('splits', () => {
  it('are fixed: their hashes change only with the lists', () => {
    expect(splitHash(babyAiTextSplitTasks('train'))).toMatchInlineSnapshot(`"c99a60c7ba0bb501"`);
    expect(splitHash(babyAiTextSplitTasks('valid_seen'))).toMatchInlineSnapshot(`"c620d82946b4c724"`);
    expect(splitHash(babyAiTextSplitTasks('valid_unseen'))).toMatchInlineSnapshot(`"786e80002e48b664"`);
    expect(splitHash(babyAiText50Tasks())).toMatchInlineSnapshot(`"06bba0aa8948cc33"`);
  });

  it('take the six types in turn, so that a shorter list is balanced too', () => {
    const tasks = babyAiTextSplitTasks('valid_seen', 12);
    expect(tasks.map(({ taskType }) => taskType)).toEqual([
      ...BABYAI_TEXT_TASK_TYPES,
      ...BABYAI_TEXT_TASK_TYPES,
    ]);
    expect(tasks[0]).toEqual({
      id: 'babyai-text/MixedTrainLocal/go_to/1000000',
      level: 'MixedTrainLocal',
      seed: 1_000_000,
      split: 'valid_seen',
      taskType: 'go_to',
    });
    expect(babyAiTextSplitTasks('valid_seen').slice(0, 12)).toEqual(tasks);
  });

  it.each(SPLITS)(
    '%s has equally many tasks of each type, no two with one seed, each of which starts',
    (split) => {
      const tasks = babyAiTextSplitTasks(split);
      expect(new Set(tasks.map(({ seed }) => seed)).size).toBe(BABYAI_TEXT_SPLIT_SIZES[split]);
      for (const type of BABYAI_TEXT_TASK_TYPES) {
        expect(tasks.filter(({ taskType }) => taskType === type)).toHaveLength(tasks.length / 6);
      }
      const { first, end } = split === 'train' ? LAYOUT_SEEDS.training : LAYOUT_SEEDS.validation;
      expect(tasks.every((task) => task.split === split && task.seed >= first && task.seed < end)).toBe(true);
      for (const task of tasks) expect(environment.start(task).task).toBe(task);
    },
  );

  it('refuse more tasks than they have, none, and a split that there is not', () => {
    expect(() => babyAiTextSplitTasks('valid_unseen', 241)).toThrow(/has 240 tasks, asked for 241/);
    expect(() => babyAiTextSplitTasks('train', 0)).toThrow(/asked for 0/);
    const unknown = 'test' as Split;
    expect(() => babyAiTextSplitTasks(unknown)).toThrow(
      'no split "test". Splits: train, valid_seen, valid_unseen',
    );
  });

  it('hold no start that occurs among training tasks', () => {
    const held = [
      ...babyAiTextSplitTasks('valid_seen'),
      ...babyAiTextSplitTasks('valid_unseen'),
      ...babyAiText50Tasks(),
    ];
    const starts = new Set(held.map(startKey));
    expect(starts.size).toBe(420 + 240 + 50);
    const trained = [...babyAiTextSplitTasks('train'), ...trainingTasks(1, 3000)];
    expect(trained.filter((task) => starts.has(startKey(task)))).toEqual([]);
  });
});

describe('babyai-text-50', () => {
  it('has the published numbers of each type, on seeds of its own', () => {
    const tasks = babyAiText50Tasks();
    const counts = BABYAI_TEXT_TASK_TYPES.map((type) => [
      type,
      tasks.filter(({ taskType }) => taskType === type).length,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      go_to: 5,
      go_to_after_pick_up: 9,
      open: 11,
      pick_up: 11,
      pick_up_then_go_to: 6,
      put_next_to: 8,
    });
    expect(new Set(tasks.map(({ seed }) => seed)).size).toBe(50);
    const { first, end } = BABYAI_TEXT_50_SEEDS;
    const isOwn = ({ level, seed }: BabyAiTextTask) =>
      level === 'MixedTrainLocal' && seed >= first && seed < end;
    expect(tasks.every(isOwn)).toBe(true);
    for (const task of tasks) environment.start(task);
  });
});

describe('babyAiTextTrainTask', () => {
  it('gives a group the same task again, and other groups, steps and runs other ones', () => {
    const draw = { runSeed: 1, step: 2, group: 3 };
    expect(babyAiTextTrainTask(draw)).toEqual(babyAiTextTrainTask(draw));
    const others = [draw, { ...draw, group: 4 }, { ...draw, step: 3 }, { ...draw, runSeed: 2 }];
    expect(new Set(others.map((other) => babyAiTextTrainTask(other).id)).size).toBe(4);
  });

  it('draws the types evenly and the seeds over the whole training range', () => {
    const tasks = trainingTasks(1, 3000);
    for (const type of BABYAI_TEXT_TASK_TYPES) {
      const share = tasks.filter(({ taskType }) => taskType === type).length / tasks.length;
      expect(Math.abs(share - 1 / 6)).toBeLessThan(0.03);
    }
    const seeds = tasks.map(({ seed }) => seed);
    expect(Math.min(...seeds)).toBeGreaterThanOrEqual(100_000);
    expect(Math.min(...seeds)).toBeLessThan(105_000);
    expect(Math.max(...seeds)).toBeLessThan(1_000_000);
    expect(Math.max(...seeds)).toBeGreaterThan(995_000);
  });

  it('draws from the types given, all of which start', () => {
    for (let group = 0; group < 40; group++) {
      const draw = { runSeed: 1, step: 0, group, taskTypes: ['pick_up_then_go_to', 'open'] as const };
      const task = babyAiTextTrainTask(draw);
      expect(draw.taskTypes).toContain(task.taskType);
      environment.start(task);
    }
    expect(() => babyAiTextTrainTask({ runSeed: 1, step: 0, group: 0, taskTypes: [] })).toThrow(/empty list/);
  });
});
