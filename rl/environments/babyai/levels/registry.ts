import { AppError } from '@/contract/errors';
import type { Level } from '../level';
import { GOTO_LEVELS } from './goto';
import { MIXED_LEVELS } from './mixed';
import { OPEN_LEVELS } from './open';
import { PICKUP_LEVELS } from './pickup';
import { PUTNEXT_LEVELS } from './putnext';
import { UNLOCK_LEVELS } from './unlock';

/** Levels AgentGym numbers, from 1. */
export const AGENTGYM_LEVEL_COUNT = 40;

/**
 * AgentGym's levels by its numbers. It asks for number 4 as `BabyAI-GoToObjS6-v0`, which is not registered, and answers
 * an error; here it is the registered v1.
 */
export const LEVELS: readonly Level[] = [
  ...GOTO_LEVELS,
  ...PICKUP_LEVELS,
  ...OPEN_LEVELS,
  ...UNLOCK_LEVELS,
  ...PUTNEXT_LEVELS,
  ...MIXED_LEVELS,
].sort((left, right) => left.number - right.number);

const BY_NAME = new Map(LEVELS.map((level) => [level.name, level]));

/** The level of AgentGym's number. Throws where there is none. */
export function findLevelOfNumber(number: number): Level {
  const level = LEVELS.find((known) => known.number === number);
  if (!level) {
    throw new AppError(
      'invalid_input',
      `AgentGym numbers its levels 1 .. ${AGENTGYM_LEVEL_COUNT}, got ${number}`,
    );
  }
  return level;
}

/** The level of a name. Throws where there is none. */
export function findLevel(name: string): Level {
  const level = BY_NAME.get(name);
  if (!level) {
    const names = LEVELS.map((known) => known.name).join(', ');
    throw new AppError('invalid_input', `There is no BabyAI level "${name}". Levels: ${names}`);
  }
  return level;
}
