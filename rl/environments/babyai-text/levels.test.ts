import { describe, expect, it } from 'vitest';
import { BABYAI_TEXT_TASK_TYPES, type BabyAiTextTaskType } from '@/contract/environments/babyai-text';
import { createBabyAiText } from './babyai-text';
import { findTextLevel, TEXT_LEVELS } from './levels';
import { HELD_OUT_PAIRS } from './missions';
import { actionKindOf, babyAiTextTask, isSeedOf, taskOfKind } from './task';

const environment = createBabyAiText();
const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);

const PAIR = /(?:the|a) ((?:\w+ )?(?:key|ball|box|door))/g;
const MISSIONS: Record<BabyAiTextTaskType, RegExp> = {
  go_to: /^go to (the|a) \w+ (key|ball|box)$/,
  pick_up: /^pick up (the|a) \w+ (key|ball|box)$/,
  open: /^open the (\w+ )?door$/,
  put_next_to: /^put (the|a) \w+ (key|ball|box) next to (the|a) \w+ (key|ball|box)$/,
  pick_up_then_go_to: /^pick up (the|a) \w+ (key|ball|box), then go to (the|a) \w+ (key|ball|box)$/,
  go_to_after_pick_up: /^go to (the|a) \w+ (key|ball|box) after you pick up (the|a) \w+ (key|ball|box)$/,
};

describe('findTextLevel', () => {
  it('names a level that there is not, and lists those there are', () => {
    expect(findTextLevel('MixedTrainLocal').taskTypes).toEqual(BABYAI_TEXT_TASK_TYPES);
    expect(() => findTextLevel('GoToMoon')).toThrow(
      'no BabyAI-Text level "GoToMoon". Levels: MixedTrainLocal, MixedTestLocal, PickUpSeqGoToLocal, ' +
        'PickUpThenGoToLocal, GoToAfterPickUpLocal',
    );
  });
});

const EVERY_KIND_OF_TASK = TEXT_LEVELS.flatMap(({ name, taskTypes }) =>
  taskTypes.map((taskType) => ({ name, taskType })),
);

describe.each(EVERY_KIND_OF_TASK)('$name, $taskType', ({ name, taskType }) => {
  const tasks = SEEDS.filter((seed) => isSeedOf(name, taskType, seed)).map((seed) =>
    babyAiTextTask(name, taskType, seed, 'train'),
  );

  it('sets missions of its type', () => {
    expect(tasks.length).toBeGreaterThan(1);
    for (const task of tasks) {
      const { goal, world } = environment.start(task);
      expect(goal).toMatch(MISSIONS[taskType]);
      expect(world.maxSteps).toBe(taskType === 'go_to' || taskType === 'pick_up' ? 64 : 128);
    }
  });

  it('names the held-out pairs alone on the test level, and never on another', () => {
    for (const task of tasks) {
      const named = [...environment.start(task).goal.matchAll(PAIR)].map(([, pair]) => pair ?? '');
      expect(named.length).toBeGreaterThan(0);
      expect(named.every((pair) => HELD_OUT_PAIRS.has(pair) === (name === 'MixedTestLocal'))).toBe(true);
    }
  });
});

describe('tasks to open', () => {
  it.each(['MixedTrainLocal', 'MixedTestLocal'])(
    'of %s have a locked door, its key and the agent on the same side of it',
    (level) => {
      for (const seed of SEEDS) {
        const { grid } = environment.start(babyAiTextTask(level, 'open', seed, 'train')).world;
        const objects = grid.cells.filter((object) => object !== null);
        const doors = objects.filter(({ type }) => type === 'door');
        expect(doors.map(({ state }) => state)).toEqual(['locked']);
        const keys = objects.filter(({ type, color }) => type === 'key' && color === doors[0]?.color);
        const side = grid.roomAt(grid.agentX, grid.agentY);
        expect(keys.some(({ x, y }) => grid.roomAt(x, y) === side)).toBe(true);
        expect(side).not.toBe(grid.lockedRoom);
      }
    },
  );
});

describe('babyAiTextTask', () => {
  it('has the id, type and seed it was asked for', () => {
    expect(babyAiTextTask('MixedTrainLocal', 'open', 1_000_000, 'valid_seen')).toEqual({
      id: 'babyai-text/MixedTrainLocal/open/1000000',
      level: 'MixedTrainLocal',
      taskType: 'open',
      seed: 1_000_000,
      split: 'valid_seen',
    });
  });

  it('refuses a level, a task type and a seed that there are not', () => {
    expect(() => babyAiTextTask('GoToMoon', 'open', 1, 'train')).toThrow(/"GoToMoon"/);
    expect(() => babyAiTextTask('PickUpThenGoToLocal', 'open', 1, 'train')).toThrow(
      'level PickUpThenGoToLocal has no tasks of type "open". Task types: pick_up_then_go_to',
    );
    for (const seed of [-1, 1.5, NaN, 2 ** 53]) {
      expect(() => babyAiTextTask('MixedTrainLocal', 'open', seed, 'train')).toThrow(`got ${seed}`);
    }
  });

  it('of a sequence whose seed gives the other order is refused at the start, and the error says which it gives', () => {
    for (const seed of SEEDS) {
      const drawn = taskOfKind('MixedTrainLocal', 'pick up seq go to', seed, 'train').taskType;
      const other = drawn === 'pick_up_then_go_to' ? 'go_to_after_pick_up' : 'pick_up_then_go_to';
      expect(actionKindOf(other)).toBe(actionKindOf(drawn));
      const task = babyAiTextTask('MixedTrainLocal', other, seed, 'train');
      expect(() => environment.start(task)).toThrow(
        `no task ${task.id}: the seed gives a mission of type ${drawn}`,
      );
    }
  });
});
