import { describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import {
  expectIndependent,
  expectOffersAccepted,
  expectRepeatable,
  expectSnapshotsExact,
  expectWholeTexts,
} from '../testing/episode-contract';
import { createBabyAi } from './babyai';
import { LEVELS } from './levels/registry';
import { babyAiTask } from './task';

const REFUSAL = /^You cannot (?!see any)|^There is a barrier|not recognized/;
const SEEDS = 25;
const LAYOUT_SEEDS = 3000;

const NAMES = LEVELS.map(({ name }) => name);

describe.each(NAMES)('%s, over many seeds', (name) => {
  it.each(['default rules', 'compat agentgym'] as const)('keeps the contract under %s', async (rules) => {
    const environment = createBabyAi(
      rules === 'compat agentgym' ? { compat: 'agentgym' } : { maxTurns: null },
    );
    for (let seed = 100; seed < 100 + SEEDS; seed++) {
      const task = babyAiTask(name, seed, 'train');
      expectWholeTexts(environment.start(task).goal, await expectRepeatable(environment, task, 40));
      await expectIndependent(environment, [task, babyAiTask(name, seed + 1, 'train')], 20);
      await expectOffersAccepted(environment, task, 8, REFUSAL);
      await expectSnapshotsExact(environment, task, 12);
    }
  });
});

describe.each(NAMES)('the layouts of %s', (name) => {
  it('are drawn or refused by level and seed, never waited for', () => {
    const environment = createBabyAi({ compat: 'agentgym' });
    const refused: number[] = [];
    for (let seed = 0; seed < LAYOUT_SEEDS; seed++) {
      try {
        environment.start(babyAiTask(name, seed, 'train'));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(error.message).toContain(`babyai/${name}/${seed} has no layout`);
        refused.push(seed);
      }
    }
    // In both the agent's room has one free cell, walled in by objects, where no direction is free to face.
    expect(refused).toEqual(name === 'SynthS5R2' ? [1741, 2678] : []);
  });
});
