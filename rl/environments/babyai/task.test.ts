import { describe, expect, it } from 'vitest';
import { LEVELS } from './levels/registry';
import { agentGymTask, babyAiTask, parseBabyAiTaskId } from './task';

describe('babyAiTask', () => {
  it('refuses a level and a seed there are not, naming them', () => {
    expect(() => babyAiTask('open', 0, 'train')).toThrow(/no BabyAI level "open"\. Levels: .*Open/);
    for (const seed of [-1, 0.5, 2 ** 53, NaN]) {
      expect(() => babyAiTask('Open', seed, 'train')).toThrow(
        `The layout seed of level Open must be an integer of 0 .. 2^53 - 1, got ${seed}`,
      );
    }
    expect(babyAiTask('Open', 2 ** 53 - 1, 'train').id).toBe('babyai/Open/9007199254740991');
  });
});

describe('agentGymTask', () => {
  it('takes the levels in turn, then the next seed', () => {
    const tasks = Array.from({ length: 120 }, (_, index) => agentGymTask(index, 'train'));
    expect(tasks.map(({ level }) => level)).toEqual(
      [...LEVELS, ...LEVELS, ...LEVELS].map(({ name }) => name),
    );
    expect(tasks.map(({ seed }) => seed)).toEqual(tasks.map((_, index) => Math.floor(index / 40)));
  });

  it('is the task that upstream recorded under the index', () => {
    expect(agentGymTask(40_554, 'valid_seen')).toEqual({
      id: 'babyai/SynthS5R2/1013',
      taskType: 'mixed',
      split: 'valid_seen',
      level: 'SynthS5R2',
      seed: 1013,
      dataIndex: 40_554,
    });
  });

  it('refuses an index there is not', () => {
    for (const index of [-1, 1.5, 2 ** 53]) {
      expect(() => agentGymTask(index, 'train')).toThrow(
        `data index must be an integer of 0 .. 2^53 - 1, got ${index}`,
      );
    }
  });
});

describe('parseBabyAiTaskId', () => {
  it('gives back every task of its id', () => {
    for (const { name } of LEVELS) {
      const task = babyAiTask(name, 123, 'valid_unseen');
      expect(parseBabyAiTaskId(task.id, 'valid_unseen')).toEqual(task);
    }
  });

  it.each([
    '',
    'Open/1',
    'babyai/Open',
    'babyai/Open/',
    'babyai/Open/01',
    'babyai/Open/-1',
    'babyai/Open/1.5',
    'babyai/Open/1/2',
  ])('refuses "%s", quoting it and the right form', (id) => {
    expect(() => parseBabyAiTaskId(id, 'train')).toThrow(
      `babyai/LEVEL/SEED, e.g. babyai/Open/12, got "${id}"`,
    );
  });

  it('refuses a level and a seed there are not', () => {
    expect(() => parseBabyAiTaskId('babyai/Moon/1', 'train')).toThrow(/no BabyAI level "Moon"/);
    expect(() => parseBabyAiTaskId('babyai/Open/9007199254740992', 'train')).toThrow(/got 9007199254740992/);
  });
});
