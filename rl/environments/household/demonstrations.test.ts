import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import type { Demonstration } from '../demonstration';
import { demonstrations, type DemonstratorFaults } from './demonstrations';
import { createHousehold } from './household';
import { HELD_OUT_ROOMS } from './rooms';
import type { HouseholdTask } from './task';

const environment = createHousehold();
const NO_FAULTS: DemonstratorFaults = { ungrounded: 0, misspelled: 0, untreated: 0, random: 0, repeated: 0 };

function demonstrate(count: number, faults?: DemonstratorFaults, seed = 1): Demonstration<HouseholdTask>[] {
  return [...demonstrations({ environment, random: createRandom(seed), count, ...(faults && { faults }) })];
}

const rowsOf = (played: readonly Demonstration[]) => played.flatMap(({ rows }) => rows);

function rates(played: readonly Demonstration[]): { success: number; invalid: number } {
  return {
    success: played.filter(({ success }) => success).length / played.length,
    invalid: played.reduce((sum, { invalidActions }) => sum + invalidActions, 0) / rowsOf(played).length,
  };
}

describe('demonstrations', () => {
  it('succeed on nearly all tasks, with a sixth of the turns refused', () => {
    const { success, invalid } = rates(demonstrate(240));
    expect(success).toBeGreaterThan(0.9);
    expect(success).toBeLessThan(0.99);
    expect(invalid).toBeGreaterThan(0.12);
    expect(invalid).toBeLessThan(0.21);
  });

  it('are a searcher’s without faults', () => {
    const { success, invalid } = rates(demonstrate(48, NO_FAULTS));
    expect(success).toBeGreaterThan(0.95);
    expect(invalid).toBe(0);
  });

  it('repeat for a seed and differ for another', () => {
    expect(demonstrate(6)).toEqual(demonstrate(6));
    expect(demonstrate(6)).not.toEqual(demonstrate(6, undefined, 2));
  });

  it('carry the actions so far with each turn', () => {
    for (const { rows } of demonstrate(12)) {
      rows.forEach(({ pastActions }, index) => {
        expect(pastActions).toEqual(rows.slice(0, index).map(({ action }) => action));
      });
    }
  });

  it('think in many wordings', () => {
    const thoughts = new Set(rowsOf(demonstrate(48)).map(({ thought }) => thought));
    expect(thoughts.size).toBeGreaterThan(100);
    for (const thought of thoughts) expect(thought).not.toMatch(/[A-Z]{2,}|undefined|null/);
  });

  it('take the object unseen where they are ungrounded, and are refused', () => {
    const played = demonstrate(24, { ...NO_FAULTS, ungrounded: 1 });
    const rows = rowsOf(played);
    expect(rows.length).toBeGreaterThan(0);
    for (const { action, observation } of rows) {
      expect(action).toMatch(/^take \w+ 1 from \w+ \d$/);
      expect(observation.availableActions).not.toContain(action);
    }
  });

  it('write put for an offered move where they misspell', () => {
    const puts = rowsOf(demonstrate(24, { ...NO_FAULTS, misspelled: 1 })).filter(({ action }) =>
      action.startsWith('put '),
    );
    expect(puts.length).toBeGreaterThan(0);
    for (const { action, observation } of puts)
      expect(observation.availableActions).toContain(action.replace(/^put (.*) in /, 'move $1 to '));
  });

  it('treat the object only where they find it beside what treats it, where they forget', () => {
    const treating = rowsOf(demonstrate(240, { ...NO_FAULTS, untreated: 1 })).filter(({ action }) =>
      /^(clean|heat|cool) /.test(action),
    );
    expect(treating.length).toBeGreaterThan(0);
    for (const { action, pastActions } of treating)
      expect(pastActions.at(-1)).toBe(action.replace(/^\w+ (.*) with /, 'take $1 from '));
  });

  it('repeat an action only where it was just refused', () => {
    const repeats = rowsOf(demonstrate(24, { ...NO_FAULTS, misspelled: 1, repeated: 1 })).filter(
      ({ action, pastActions }) => action === pastActions.at(-1),
    );
    expect(repeats.length).toBeGreaterThan(0);
    for (const { observation } of repeats) expect(observation.text).toBe('Nothing happens.');
  });

  it('leave the held-out rooms alone', () => {
    const rooms = new Set(demonstrate(120).map(({ task }) => task.room));
    expect(rooms.size).toBe(20);
    for (const { name } of HELD_OUT_ROOMS) expect(rooms.has(name)).toBe(false);
  });
});
