import type { Observation } from '../environment';
import { firstTarget } from './goal';

interface Seen {
  goal: string;
  observation: Observation;
  action: string;
}

/** A few words before an action, in the phrases of the demonstrations: they tell what is in view and nothing that is hidden. */
export function demonstratedThought({ goal, observation, action }: Seen): string {
  const target = firstTarget(goal);
  if (action.startsWith('drop')) return 'My hands are full.';
  if (target === null) return 'I am not sure.';
  if (observation.text.includes(target)) return `I see the ${target}.`;
  if (/^pickup .* key /.test(action)) return 'I need the key first.';
  const isThroughDoor = action.includes('go through');
  return `I do not see the ${target}, so I ${isThroughDoor ? 'try a door' : 'look around'}.`;
}
