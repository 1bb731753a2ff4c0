import type { Random } from '@/rl/random';
import type { HouseholdGoal } from './goal';
import type { Treatment } from './kinds';
import type { Purpose } from './search';

/** Why a flawed player does what no plan asks for. */
export type Fault = 'ungrounded' | 'random' | 'repeated';

/** What a thought can name. */
export interface ThoughtSubject {
  goal: HouseholdGoal;
  treatment: Treatment | null;
  /** `crate 2`. */
  receptacle: string;
}

/**
 * Wordings of a thought. `OBJECT` stands for the goal's kind of object, `PLACE` for the receptacle concerned, `TREATED`
 * for what the object has to be.
 */
export const THOUGHT_WORDINGS: Readonly<Record<Purpose | Fault, readonly string[]>> = {
  search: [
    'I need a OBJECT, so I look in the PLACE.',
    'I have not seen the PLACE yet.',
    'The OBJECT may be at the PLACE.',
    'Next I try the PLACE.',
  ],
  open: ['The PLACE is closed, so I open it.', 'I look into the PLACE.'],
  fetch: ['I have seen it at the PLACE.', 'I go back to the PLACE for the OBJECT.'],
  take: ['Here is a OBJECT.', 'I see a OBJECT, so I take it.', 'The PLACE has what I need.'],
  carry: ['The OBJECT has to be TREATED first.', 'I have the OBJECT, now it must be TREATED.'],
  treat: ['Now the OBJECT gets TREATED.', 'The PLACE will do that.'],
  bring: ['I have the OBJECT, so I go to the PLACE.', 'I bring it to the PLACE.'],
  put: ['This is the place for the OBJECT.', 'I put it here.'],
  light: ['I hold the OBJECT and need light.', 'Here is the light.'],
  lay_aside: ['This is not what I need.', 'My hands must be free.'],
  look_again: ['I look again.', 'I must have missed it.'],
  ungrounded: ['The OBJECT must be here.', 'I take the OBJECT.'],
  random: ['I am not sure.', 'I try something.'],
  repeated: ['Once more.', 'It should work.'],
};

/** What an object has to be, or gets. */
export const TREATED_WORDS: Readonly<Record<Treatment, string>> = {
  clean: 'clean',
  heat: 'hot',
  cool: 'cold',
};

/** One of the wordings, drawn uniformly. */
export function writeThought(
  why: Purpose | Fault,
  { goal, treatment, receptacle }: ThoughtSubject,
  random: Random,
): string {
  return random
    .pick(THOUGHT_WORDINGS[why])
    .replace('OBJECT', goal.object)
    .replace('PLACE', receptacle)
    .replace('TREATED', treatment ? TREATED_WORDS[treatment] : 'ready');
}
