import { AppError } from '@/contract/errors';

/** Standard normal quantiles of a two-sided level of 0.05 and of a power of 0.8, as the tables of the field have them. */
const Z_LEVEL = 1.96;
const Z_POWER = 0.84;

/**
 * The smallest difference of two success rates that a test at a two-sided level of .05 sees with a power of 80 %, where both
 * policies play the same `pairs` tasks and differ in outcome on the fraction `discordantRate` of them. Normal approximation of
 * McNemar's test: the difference has the standard error sqrt(discordantRate / pairs) where there is none (Miller 2024, arXiv
 * 2411.00640, section 5, with the paired variance). The exact test needs somewhat more where few tasks are discordant. What
 * is greater than `discordantRate` cannot come about.
 */
export function smallestPairedDifference(pairs: number, discordantRate: number): number {
  requireCount('pairs', pairs);
  requireFraction('discordantRate', discordantRate);
  return (Z_LEVEL + Z_POWER) * Math.sqrt(discordantRate / pairs);
}

/**
 * The same for two policies that each play `tasks` of their own, at a success rate near `successRate`: the standard error is
 * sqrt(2 successRate (1 - successRate) / tasks). Greatest, and so safe, at 1/2.
 */
export function smallestUnpairedDifference(tasks: number, successRate = 0.5): number {
  requireCount('tasks', tasks);
  requireFraction('successRate', successRate);
  return (Z_LEVEL + Z_POWER) * Math.sqrt((2 * successRate * (1 - successRate)) / tasks);
}

function requireCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new AppError('invalid_input', `${name} is ${value}; expected a count, 1 or more`);
}

function requireFraction(name: string, value: number): void {
  if (!(value > 0 && value < 1))
    throw new AppError('invalid_input', `${name} is ${value}; expected a fraction above 0 and below 1`);
}
