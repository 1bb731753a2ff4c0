import { AppError } from '@/contract/errors';
import type { Level } from '../level';
import { GOTO_LEVELS } from './goto';
import { MIXED_LEVELS } from './mixed';
import { OPEN_LEVELS } from './open';
import { PICKUP_LEVELS } from './pickup';
import { PUTNEXT_LEVELS } from './putnext';
import { UNLOCK_LEVELS } from './unlock';

/** AgentGym's levels by its numbers. Number 4, GoToObjS6, is missing: upstream names it and does not have it. */
export const LEVELS: readonly Level[] = [
  ...GOTO_LEVELS,
  ...PICKUP_LEVELS,
  ...OPEN_LEVELS,
  ...UNLOCK_LEVELS,
  ...PUTNEXT_LEVELS,
  ...MIXED_LEVELS,
].sort((left, right) => left.number - right.number);

const BY_NAME = new Map(LEVELS.map((level) => [level.name, level]));

export function hasLevel(name: string): boolean {
  return BY_NAME.has(name);
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
