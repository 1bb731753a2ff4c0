import type { Turn } from '@/contract/trajectory';

/** What was recorded of a state of a task; an empty observation is none. */
export type StateFacts = Pick<Turn, 'stateHash' | 'picture' | 'observation'>;

/** `unknown` where the two records have nothing in common that could be compared. */
export type StateRelation = 'same' | 'different' | 'unknown';

/** Two states of one task by what the environment recorded of them: the hash, else the picture. */
export function compareRecorded(one: StateFacts, other: StateFacts): StateRelation {
  if (one.stateHash !== null && other.stateHash !== null) return relation(one.stateHash, other.stateHash);
  if (one.picture !== null && other.picture !== null) return relation(one.picture, other.picture);
  return 'unknown';
}

/** Two states of one task: by hash, else by picture, else by what the agent was told, white space aside. */
export function compareStates(one: StateFacts, other: StateFacts): StateRelation {
  const recorded = compareRecorded(one, other);
  if (recorded !== 'unknown') return recorded;
  const [told, alsoTold] = [collapse(one.observation), collapse(other.observation)];
  return told === '' || alsoTold === '' ? 'unknown' : relation(told, alsoTold);
}

/**
 * The states in which two plays of one task begin. Where observations alone are known, one that holds the other is the
 * same: a scaffold or a log may put the goal before it or the available actions behind it.
 */
export function compareBeginnings(one: StateFacts, other: StateFacts): StateRelation {
  const compared = compareStates(one, other);
  if (compared !== 'different' || compareRecorded(one, other) !== 'unknown') return compared;
  const [told, alsoTold] = [collapse(one.observation), collapse(other.observation)];
  return told.includes(alsoTold) || alsoTold.includes(told) ? 'same' : 'different';
}

function relation(one: string, other: string): StateRelation {
  return one === other ? 'same' : 'different';
}

function collapse(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
