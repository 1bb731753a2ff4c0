import { describe, expect, it } from 'vitest';
import { objectsWanted, TREATMENT_OF } from './goal';
import { LAMP_KIND, OBJECT_KINDS } from './kinds';
import { drawLayout, WALKTHROUGH_LENGTHS } from './layout';
import { HELD_OUT_ROOMS, TRAINING_ROOMS } from './rooms';
import { splitTasks, taskList } from './splits';

const tasks = [...splitTasks('valid_seen'), ...splitTasks('valid_unseen')];
const layouts = tasks.map(drawLayout);

describe('drawLayout', () => {
  it('gives a task the same layout again and another seed another one', () => {
    expect(tasks.slice(0, 24).map(drawLayout)).toEqual(layouts.slice(0, 24));
    const [first] = taskList(TRAINING_ROOMS, 7, 1, 'train');
    const [second] = taskList(TRAINING_ROOMS, 8, 1, 'train');
    if (!first || !second) throw new Error('a list of one task has one');
    expect(drawLayout(first).objects).not.toEqual(drawLayout(second).objects);
  });

  it('puts every object in a receptacle of the room that takes it, at most three in one', () => {
    for (const { room, objects } of layouts) {
      for (const { kind, receptacle } of objects) {
        expect(room.receptacles).toContain(receptacle);
        const ware = OBJECT_KINDS.find(({ name }) => name === kind)?.ware;
        if (ware) expect(receptacle.kind.takes).toContain(ware);
        else expect([kind, receptacle.kind.openable]).toEqual([LAMP_KIND, false]);
      }
      for (const receptacle of room.receptacles)
        expect(objects.filter((object) => object.receptacle === receptacle).length).toBeLessThanOrEqual(3);
    }
  });

  it('has as many objects of the goal’s kind as it asks for, none of them in place at the start', () => {
    for (const { goal, objects } of layouts) {
      const wanted = objects.filter(({ kind }) => kind === goal.object);
      expect(wanted).toHaveLength(objectsWanted(goal));
      expect(wanted.every(({ receptacle }) => receptacle.kind.name !== goal.receptacle)).toBe(true);
    }
  });

  it('asks for what can be done: the object takes the treatment, the room has what gives it and the place', () => {
    for (const { room, goal } of layouts) {
      const treatment = TREATMENT_OF[goal.taskType];
      const kind = OBJECT_KINDS.find(({ name }) => name === goal.object);
      if (treatment) {
        expect(kind?.treatments).toContain(treatment);
        expect(room.receptacles.some((receptacle) => receptacle.kind.treats === treatment)).toBe(true);
      }
      const target = room.receptacles.find((receptacle) => receptacle.kind.name === goal.receptacle);
      if (goal.taskType !== 'examine_in_light') expect(target?.kind.takes).toContain(kind?.ware);
    }
  });

  it('holds five to eight objects, the lamp among them, and needs four to nine commands', () => {
    for (const { objects, walkthrough } of layouts) {
      expect(objects.filter(({ kind }) => kind === LAMP_KIND)).toHaveLength(1);
      expect(objects.length).toBeGreaterThanOrEqual(5);
      expect(objects.length).toBeLessThanOrEqual(8);
      expect(new Set(objects.map(({ name }) => name)).size).toBe(objects.length);
      expect(walkthrough.length).toBeGreaterThanOrEqual(WALKTHROUGH_LENGTHS.fewest);
      expect(walkthrough.length).toBeLessThanOrEqual(WALKTHROUGH_LENGTHS.most);
    }
    const lengths = layouts.map(({ walkthrough }) => walkthrough.length);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([4, 9]);
  });
});

describe('rooms', () => {
  it('are held out as sets of receptacles, and every name in them is known from training', () => {
    const names = (rooms: typeof TRAINING_ROOMS) =>
      rooms.map(({ receptacles }) => receptacles.map(({ name }) => name).sort());
    const trained = names(TRAINING_ROOMS);
    const sets = new Set(trained.map((set) => set.join()));
    expect(sets.size).toBe(TRAINING_ROOMS.length);
    for (const set of names(HELD_OUT_ROOMS)) {
      expect(sets.has(set.join())).toBe(false);
      for (const name of set) expect(trained.flat()).toContain(name);
    }
  });

  it('have six to ten receptacles', () => {
    for (const { receptacles } of [...TRAINING_ROOMS, ...HELD_OUT_ROOMS]) {
      expect(receptacles.length).toBeGreaterThanOrEqual(6);
      expect(receptacles.length).toBeLessThanOrEqual(10);
    }
  });
});
