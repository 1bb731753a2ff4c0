import { HOUSEHOLD_TASK_TYPES, type HouseholdTaskType } from '@/contract/environments/household';
import { AppError } from '@/contract/errors';
import { LAMP_KIND, receptacleKind, type Treatment } from './kinds';

/** What a task asks for. */
export interface HouseholdGoal {
  taskType: HouseholdTaskType;
  /** Kind of the object sought. */
  object: string;
  /** Kind of the receptacle it goes to; null where it is to be examined in the light. */
  receptacle: string | null;
}

/** What has to be done to the object first. */
export const TREATMENT_OF: Readonly<Record<HouseholdTaskType, Treatment | null>> = {
  place: null,
  place_two: null,
  clean_and_place: 'clean',
  heat_and_place: 'heat',
  cool_and_place: 'cool',
  examine_in_light: null,
};

/** Most objects of one kind that a goal asks for and a room holds. */
export const MOST_OF_A_KIND = 2;

/** How many objects of the kind have to be put in one receptacle, or held in the light. */
export function objectsWanted({ taskType }: HouseholdGoal): number {
  return taskType === 'place_two' ? MOST_OF_A_KIND : 1;
}

/**
 * Two wordings of each. `OBJECT` and `RECEPTACLE` stand for the goal's kinds, `IN` for `in` or `on`, by whether the
 * receptacle can be closed.
 */
export const GOAL_WORDINGS: Readonly<Record<HouseholdTaskType, readonly [string, string]>> = {
  place: ['put a OBJECT IN the RECEPTACLE', 'bring a OBJECT to the RECEPTACLE'],
  place_two: ['put two OBJECT IN one RECEPTACLE', 'bring two OBJECT to one RECEPTACLE'],
  clean_and_place: ['put a clean OBJECT IN the RECEPTACLE', 'clean a OBJECT and bring it to the RECEPTACLE'],
  heat_and_place: ['put a hot OBJECT IN the RECEPTACLE', 'heat a OBJECT and bring it to the RECEPTACLE'],
  cool_and_place: ['put a cold OBJECT IN the RECEPTACLE', 'cool a OBJECT and bring it to the RECEPTACLE'],
  examine_in_light: [`look at a OBJECT under the ${LAMP_KIND}`, `examine a OBJECT with the ${LAMP_KIND}`],
};

export function goalText({ taskType, object, receptacle }: HouseholdGoal, wording: 0 | 1): string {
  const text = GOAL_WORDINGS[taskType][wording].replace('OBJECT', object);
  if (receptacle === null) return text;
  const preposition = receptacleKind(receptacle).openable ? 'in' : 'on';
  return text.replace('IN', preposition).replace('RECEPTACLE', receptacle);
}

const READERS = HOUSEHOLD_TASK_TYPES.flatMap((taskType) =>
  GOAL_WORDINGS[taskType].map((wording) => ({ taskType, pattern: patternOf(wording) })),
);

function patternOf(wording: string): RegExp {
  const pattern = wording
    .replace('OBJECT', '(\\w+)')
    .replace('IN', '(?:in|on)')
    .replace('RECEPTACLE', '(\\w+)');
  return new RegExp(`^${pattern}\\.?$`);
}

/** The inverse of `goalText`; a full stop may follow. Throws on any other text. */
export function readGoal(text: string): HouseholdGoal {
  for (const { taskType, pattern } of READERS) {
    const [, object, receptacle = null] = pattern.exec(text) ?? [];
    if (object !== undefined) return { taskType, object, receptacle };
  }
  throw new AppError('invalid_input', `not the goal of a household task: "${text}"`);
}
