import { expect, it } from 'vitest';
import { alfWorldExpert } from '../alfworld/expert';
import { createHousehold } from './household';
import { WALKTHROUGH_LENGTHS } from './layout';
import { gateTasks, splitTasks, taskList, TASK_SEEDS, trainTask } from './splits';
import { TRAINING_ROOMS } from './rooms';

it('every game of the lists, of the demonstrations and of 3,000 training draws is solved by the expert', () => {
  const environment = createHousehold({ maxTurns: null });
  const tasks = [
    ...splitTasks('train'),
    ...gateTasks('valid_seen'),
    ...gateTasks('valid_unseen'),
    ...taskList(TRAINING_ROOMS, TASK_SEEDS.demonstrations.first, 2800, 'train'),
    ...Array.from({ length: 3000 }, (_, group) => trainTask({ runSeed: 5, step: 0, group })),
  ];
  for (const task of tasks) {
    const episode = environment.start(task);
    const { actions } = alfWorldExpert.plan(episode);
    const results = (actions ?? []).map((action) => episode.step(action));
    expect({ id: task.id, won: results.at(-1)?.success }).toEqual({ id: task.id, won: true });
    expect(results.length).toBeLessThanOrEqual(WALKTHROUGH_LENGTHS.most);
  }
});
