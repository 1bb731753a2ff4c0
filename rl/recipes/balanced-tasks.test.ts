import { expect, it } from 'vitest';
import type { Task } from '@/rl/environments/environment';
import { balancedTasks } from './balanced-tasks';

const task = (taskType: string, index: number): Task => ({
  id: `${taskType}/${index}`,
  taskType,
  split: 'train',
});
const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id);

it('takes one of each type in turn, in the order of the candidates', () => {
  const candidates = ['open', 'open', 'open', 'put', 'goto', 'open', 'put'].map(task);
  expect(ids(balancedTasks(candidates, 5))).toEqual(['open/0', 'put/3', 'goto/4', 'open/1', 'put/6']);
});

it('fills up from the types that have more where one has run out', () => {
  const candidates = ['open', 'open', 'open', 'put'].map(task);
  expect(ids(balancedTasks(candidates, 4))).toEqual(['open/0', 'put/3', 'open/1', 'open/2']);
  expect(balancedTasks(candidates, 9)).toHaveLength(4);
});
