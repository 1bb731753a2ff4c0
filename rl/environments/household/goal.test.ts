import { describe, expect, it } from 'vitest';
import { HOUSEHOLD_TASK_TYPES } from '@/contract/environments/household';
import { goalText, readGoal, type HouseholdGoal } from './goal';

function goalOf(taskType: HouseholdGoal['taskType'], receptacle: string): HouseholdGoal {
  return { taskType, object: 'pear', receptacle: taskType === 'examine_in_light' ? null : receptacle };
}

describe('goalText', () => {
  it('says in of what can be closed and on of what cannot', () => {
    expect(goalText(goalOf('place', 'crate'), 0)).toBe('put a pear in the crate');
    expect(goalText(goalOf('place_two', 'sill'), 0)).toBe('put two pear on one sill');
    expect(goalText(goalOf('heat_and_place', 'sill'), 1)).toBe('heat a pear and bring it to the sill');
    expect(goalText(goalOf('examine_in_light', ''), 0)).toBe('look at a pear under the lantern');
  });
});

describe('readGoal', () => {
  it('is the inverse of either wording, with or without a full stop', () => {
    for (const taskType of HOUSEHOLD_TASK_TYPES)
      for (const wording of [0, 1] as const)
        for (const receptacle of ['crate', 'sill']) {
          const goal = goalOf(taskType, receptacle);
          expect(readGoal(goalText(goal, wording))).toEqual(goal);
          expect(readGoal(`${goalText(goal, wording)}.`)).toEqual(goal);
        }
  });

  it('refuses another text', () => {
    expect(() => readGoal('put a pear under the crate')).toThrow(/"put a pear under the crate"/);
  });
});
