import { describe, expect, it } from 'vitest';
import { BABYAI_HELD_OUT_LEVELS } from '@/contract/environments/babyai';
import { createRandom } from '@/rl/random';
import type { Demonstration } from '../demonstration';
import { createBabyAi } from './babyai';
import { demonstrations, type DemonstratorFaults } from './demonstrations';
import type { BabyAiTask } from './task';

const environment = createBabyAi();
const NO_FAULTS: DemonstratorFaults = { ungrounded: 0, misspelled: 0, random: 0, repeated: 0 };

function demonstrate(count: number, faults?: DemonstratorFaults, seed = 1): Demonstration<BabyAiTask>[] {
  return [...demonstrations({ environment, random: createRandom(seed), count, faults })];
}

function rates(played: readonly Demonstration[]): { success: number; invalid: number } {
  const turns = played.reduce((sum, { rows }) => sum + rows.length, 0);
  return {
    success: played.filter(({ success }) => success).length / played.length,
    invalid: played.reduce((sum, { invalidActions }) => sum + invalidActions, 0) / turns,
  };
}

describe('demonstrations', () => {
  it('succeed on about three of four tasks, with two of five turns refused', () => {
    const { success, invalid } = rates(demonstrate(1400));
    expect(success).toBeGreaterThan(0.7);
    expect(success).toBeLessThan(0.78);
    expect(invalid).toBeGreaterThan(0.37);
    expect(invalid).toBeLessThan(0.43);
  });

  it('are the planner’s own without faults', () => {
    const { success, invalid } = rates(demonstrate(210, NO_FAULTS));
    expect(success).toBeGreaterThan(0.93);
    expect(invalid).toBe(0);
  });

  it('repeat for a seed and differ for another', () => {
    expect(demonstrate(7)).toEqual(demonstrate(7));
    expect(demonstrate(7)).not.toEqual(demonstrate(7, undefined, 2));
  });

  it('carry the actions so far with each turn', () => {
    for (const { rows } of demonstrate(21)) {
      rows.forEach(({ pastActions }, index) => {
        expect(pastActions).toEqual(rows.slice(0, index).map(({ action }) => action));
      });
    }
  });

  it('act on the goal object unseen at the rate asked for', () => {
    const always = { ...NO_FAULTS, ungrounded: 1 };
    const unseen = demonstrate(70, always)
      .flatMap(({ rows }) => rows)
      .filter(({ thought }) => thought.includes('It should be near.'));
    expect(unseen.length).toBeGreaterThan(0);
    for (const { thought, action } of unseen) {
      expect(thought).toMatch(/^I do not see the .*\. It should be near\.$/);
      expect(action).toMatch(/^(go to|pick up|pickup|toggle and go through) .* 1$/);
    }
  });

  it('misspell a pickup, which is then refused', () => {
    const played = demonstrate(70, { ...NO_FAULTS, misspelled: 1 });
    const pickups = played.flatMap(({ rows }) => rows).filter(({ action }) => action.startsWith('pick'));
    expect(pickups.length).toBeGreaterThan(0);
    for (const { observation, action } of pickups.filter(({ action }) => action.startsWith('pick up'))) {
      expect(observation.availableActions).toContain(action.replace('pick up', 'pickup'));
    }
  });

  it('repeat an action only where it was just refused', () => {
    const repeats = demonstrate(140, { ...NO_FAULTS, misspelled: 1, repeated: 1 })
      .flatMap(({ rows }) => rows)
      .filter(({ thought }) => thought === 'It should be near.');
    expect(repeats.length).toBeGreaterThan(0);
    for (const { action, pastActions, observation } of repeats) {
      expect(action).toBe(pastActions.at(-1));
      expect(observation.text).toBe('The action is not recognized. Please check valid actions.');
    }
  });

  it('leave the unseen levels alone', () => {
    const levels = new Set(demonstrate(70).map(({ task }) => task.level));
    expect(levels.size).toBe(7);
    for (const level of BABYAI_HELD_OUT_LEVELS) expect(levels.has(level)).toBe(false);
  });
});
