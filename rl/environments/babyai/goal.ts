import { AppError } from '@/contract/errors';
import { COLORS, type Color } from './objects';

/** A goal of one part, as its words say it. */
export interface GoalParts {
  verb: 'go to' | 'pick up' | 'open';
  color: Color | null;
  type: 'key' | 'ball' | 'box' | 'door' | 'object';
  /** What the goal calls its object, without article and location: `red ball`, `door`, `grey object`. */
  target: string;
}

const GOAL = new RegExp(
  `^(go to|pick up|open) (?:the|a) ((?:(${COLORS.join('|')}) )?(key|ball|box|door|object))`,
);

/** What a goal calls the first object it names; null for a goal of another shape. */
export function firstTarget(goal: string): string | null {
  return GOAL.exec(goal)?.[2] ?? null;
}

/** Reads a goal of one part. Throws where it has another shape. */
export function readGoal(goal: string): GoalParts {
  const [, verb, target, color, type] = GOAL.exec(goal) ?? [];
  if (!verb || !target || !type || / (and|next to) /.test(goal)) {
    throw new AppError('invalid_input', `Not a goal to go to, pick up or open one thing: "${goal}"`);
  }
  return {
    verb: verb as GoalParts['verb'],
    color: (color ?? null) as Color | null,
    type: type as GoalParts['type'],
    target,
  };
}
