import { namedThings, normaliseAction } from './normalised-action';
import { compareBeginnings, compareRecorded, compareStates, type StateFacts } from './recorded-state';
import type { TurnFacts } from './turn-marks';

/** A play of a task as far as its moves go. Both ends are null where they were not recorded. */
export interface PlayFacts {
  turns: readonly TurnFacts[];
  finalPicture: string | null;
  finalObservation: string | null;
}

/** An action with the states before and after it. */
export interface Move {
  action: string;
  /** The action without what wording leaves free. */
  normalised: string;
  things: string;
  valid: boolean;
  /** The first of its play. */
  begins: boolean;
  before: StateFacts;
  after: StateFacts;
}

/** The moves of a play, one a turn. */
export function listMoves({ turns, finalPicture, finalObservation }: PlayFacts): Move[] {
  const end: StateFacts = { stateHash: null, picture: finalPicture, observation: finalObservation ?? '' };
  return turns.map((turn, index) => ({
    action: turn.action.trim(),
    normalised: normaliseAction(turn.action),
    things: namedThings(turn.action),
    valid: turn.valid,
    begins: index === 0,
    before: turn,
    after: turns[index + 1] ?? end,
  }));
}

/** Whether two moves of one task are known to start, or may start, from the same state. */
export function startAlike(one: Move, other: Move): boolean {
  const compare = one.begins && other.begins ? compareBeginnings : compareStates;
  return compare(one.before, other.before) !== 'different';
}

/**
 * Whether two moves from the same state are the same action. The same text is. Texts that differ in their wording alone
 * are, unless what came of them differs: an environment that takes one wording and refuses the other has told them apart.
 * Other texts are where the environment's own record shows that both changed the state alike and they name the same
 * numbered things: `put mug 1 in shelf 2` and `move mug 1 to shelf 2`.
 */
export function actAlike(one: Move, other: Move): boolean {
  if (one.action === other.action) return true;
  if (one.normalised === other.normalised) {
    const after = compareStates(one.after, other.after);
    if (after === 'different') return false;
    const changed = compareStates(one.before, one.after) === 'different';
    return (after === 'same' && changed) || one.valid === other.valid;
  }
  return (
    one.things !== '' &&
    one.things === other.things &&
    compareRecorded(one.before, one.after) === 'different' &&
    compareRecorded(one.after, other.after) === 'same'
  );
}

/** Whether two moves have the same text but for its wording, whatever their states. */
export function sayAlike(one: Move, other: Move): boolean {
  return one.normalised === other.normalised;
}
