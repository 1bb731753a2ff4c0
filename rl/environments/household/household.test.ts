import { describe, expect, it } from 'vitest';
import { HOUSEHOLD_TASK_TYPES } from '@/contract/environments/household';
import { alfWorldExpert } from '../alfworld/expert';
import { readGameFile } from '../alfworld/game-file';
import {
  expectIndependent,
  expectOffersAccepted,
  expectRepeatable,
  expectSnapshotsExact,
  expectWholeTexts,
} from '../testing/episode-contract';
import { householdGame } from './game';
import { readGoal } from './goal';
import { createHousehold } from './household';
import { drawLayout } from './layout';
import { splitTasks } from './splits';
import { householdTask } from './task';

const environment = createHousehold();
const tasks = [...splitTasks('valid_seen'), ...splitTasks('valid_unseen')];

describe('games', () => {
  it('are won by the last command of their walkthrough and by none before it', () => {
    for (const task of tasks) {
      const episode = environment.start(task);
      const results = householdGame(task).walkthrough.map((command) => episode.step(command));
      const won = results.map(({ success }) => success);
      expect({ id: task.id, won }).toEqual({ id: task.id, won: [...won.slice(1).fill(false), true] });
      expect(results.every(({ valid }) => valid)).toBe(true);
    }
  });

  it('are solved by the expert, in no more commands than the walkthrough has', () => {
    for (const task of tasks) {
      const { actions } = alfWorldExpert.plan(environment.start(task));
      expect({ id: task.id, length: actions?.length }).toEqual({ id: task.id, length: expect.any(Number) });
      expect(actions?.length).toBeLessThanOrEqual(householdGame(task).walkthrough.length);
    }
  });

  it('offer at most 25 commands along it', () => {
    for (const task of tasks.filter((_task, index) => index % 4 === 0)) {
      const episode = environment.start(task);
      for (const command of householdGame(task).walkthrough) {
        expect(episode.observe().availableActions.length).toBeLessThanOrEqual(25);
        episode.step(command);
      }
    }
  });

  it('are files in the format of ALFWorld’s, equal for equal tasks', () => {
    const [task] = tasks;
    if (!task) throw new Error('there are tasks');
    const game = householdGame(task);
    expect(householdGame(task)).toEqual(game);
    const { walkthrough, ...file } = game;
    expect(readGameFile(JSON.stringify(game), 'game.tw-pddl')).toMatchObject(file);
    expect(walkthrough.length).toBeGreaterThan(0);
  });
});

describe('episodes', () => {
  it('tell the goal, the room and what each command did', () => {
    const task = householdTask('scullery', 'cool_and_place', 1_000_000, 'valid_seen');
    const episode = environment.start(task);
    const { room, goal, walkthrough } = drawLayout(task);
    expect(readGoal(episode.goal)).toEqual(goal);
    expect(episode.observe().text).toBe(
      `You stand in the middle of the room. Around you: ${room.receptacles
        .map(({ name }) => name)
        .sort()
        .join(', ')}.\n\nYour task is to: ${episode.goal}`,
    );
    const texts = walkthrough.map((command) => episode.step(command).observation.text);
    expect({ walkthrough, texts }).toMatchInlineSnapshot(`
      {
        "texts": [
          "You walk to the hutch 1. The hutch 1 is closed.",
          "You open the hutch 1. In the hutch 1: flask 1.",
          "You take the flask 1 from the hutch 1.",
          "You walk to the icebox 1. The icebox 1 is closed.",
          "You cool the flask 1 in the icebox 1.",
          "You walk to the rack 1. On the rack 1: turnip 1.",
          "You move the flask 1 to the rack 1.",
        ],
        "walkthrough": [
          "go to hutch 1",
          "open hutch 1",
          "take flask 1 from hutch 1",
          "go to icebox 1",
          "cool flask 1 with icebox 1",
          "go to rack 1",
          "move flask 1 to rack 1",
        ],
      }
    `);
  });

  it('call the objects by the names their layout has', () => {
    for (const task of tasks.slice(0, 24)) {
      const picture = environment.start(task).picture();
      const { room, objects } = drawLayout(task);
      const contents = Object.fromEntries(
        room.receptacles.map((receptacle) => [
          receptacle.name,
          objects
            .filter((object) => object.receptacle === receptacle)
            .map(({ name }) => name)
            .sort(),
        ]),
      );
      expect(
        Object.fromEntries(picture?.receptacles.map(({ name, contents: held }) => [name, held]) ?? []),
      ).toEqual(contents);
    }
  });

  it('show how far the goal has come', () => {
    for (const task of tasks.slice(0, 6)) {
      const episode = environment.start(task);
      expect(episode.picture()?.progress.every(({ done }) => done === 0)).toBe(true);
      for (const command of householdGame(task).walkthrough) episode.step(command);
      expect(episode.picture()?.progress.every(({ done, of }) => done === of)).toBe(true);
    }
  });

  it('refuse what is not offered, and end after the turn limit with those counted', () => {
    const episode = createHousehold({ maxTurns: 2 }).start(
      tasks[0] ?? householdTask('attic', 'place', 1, 'train'),
    );
    expect(episode.step('put pear 1 in crate 1')).toMatchObject({
      valid: false,
      done: false,
      observation: { text: 'Nothing happens.' },
    });
    expect(episode.step('look')).toMatchObject({ valid: true, done: true, truncated: true, success: false });
    expect(() => episode.step('look')).toThrow(/has ended/);
  });

  it.each(HOUSEHOLD_TASK_TYPES)('of %s keep the contract of every environment', async (taskType) => {
    const task = householdTask('study', taskType, 3, 'train');
    const other = householdTask('attic', taskType, 4, 'valid_unseen');
    const shown = await expectRepeatable(environment, task, 16);
    expectWholeTexts(environment.start(task).goal, shown);
    await expectIndependent(environment, [task, other], 16);
    await expectOffersAccepted(environment, task, 6, /Nothing happens/);
    await expectSnapshotsExact(environment, other, 8);
  });

  it('refuse options that are not there', () => {
    expect(() => createHousehold({ maxTurns: 0 })).toThrow(/maxTurns/);
  });
});
