import type { Turn } from '@/contract/trajectory';
import { compareStates } from './recorded-state';

/** What the marks and the alignment of a turn are made from. */
export type TurnFacts = Pick<
  Turn,
  | 'action'
  | 'formatOk'
  | 'availableActions'
  | 'admissible'
  | 'valid'
  | 'stateHash'
  | 'picture'
  | 'observation'
>;

/**
 * The verdict on a turn's action. `no_action`: the reply held none or more than one; `not_in_list`: not offered,
 * letter by letter; `no_op`: offered, but the state stayed as it was; `in_list`: offered, and not known to be a no-op.
 * Where the environment lists no actions, none can be in or out of a list: `refused` by the environment, `no_op`, or
 * `no_list`, which says nothing against the action.
 */
export type Verdict = 'no_action' | 'not_in_list' | 'refused' | 'no_op' | 'in_list' | 'no_list';

/** Turns `start .. end - 1` repeat the same `period` turns; `repeats` counts whole repetitions. */
export interface Loop {
  start: number;
  end: number;
  period: number;
  repeats: number;
}

export interface TurnMark {
  verdict: Verdict;
  /** Null where neither this turn's state nor the next one was recorded. */
  stateChanged: boolean | null;
  loop: Loop | null;
}

const LONGEST_PERIOD = 4;
const FEWEST_REPEATS = 3;
/** Of an action that the environment did not offer or refused. */
const FEWEST_REPEATS_UNGROUNDED = 2;

/** Whether a turn does what an earlier one did, letter by letter, in the same state as far as states are known. */
function isRepeated(one: TurnFacts, other: TurnFacts): boolean {
  return one.action === other.action && compareStates(one, other) !== 'different';
}

/** The marks of a trajectory's turns. `finalPicture` is the state after the last action, by `encodeGridPicture`. */
export function markTurns(turns: readonly TurnFacts[], finalPicture: string | null): TurnMark[] {
  const loops = findLoops(turns);
  return turns.map((turn, index) => {
    const stateChanged = hasStateChanged(turn, turns[index + 1], finalPicture);
    return {
      verdict: verdictOf(turn, stateChanged),
      stateChanged,
      loop: loops.find((loop) => index >= loop.start && index < loop.end) ?? null,
    };
  });
}

/** A turn worth a stop when stepping from mark to mark. */
export function isMarked(mark: TurnMark): boolean {
  return (mark.verdict !== 'in_list' && mark.verdict !== 'no_list') || mark.loop !== null;
}

/**
 * Loops of a period of at most 4 turns, repeated at least 3 times; an action that is not in the list, or that
 * is refused where there is none, is a loop as soon as it is repeated. A turn repeats another where both action and state are the same, so turning around
 * on the spot is no loop until the agent has turned full circle three times. Of the loops that begin at a turn the
 * longest counts, and loops do not overlap.
 */
export function findLoops(turns: readonly TurnFacts[]): Loop[] {
  const loops: Loop[] = [];
  for (let start = 0; start < turns.length;) {
    const loop = longestLoopAt(turns, start);
    if (loop) loops.push(loop);
    start = loop ? loop.end : start + 1;
  }
  return loops;
}

function longestLoopAt(turns: readonly TurnFacts[], start: number): Loop | null {
  let longest: Loop | null = null;
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    const end = repetitionEnd(turns, start, period);
    const repeats = Math.floor((end - start) / period);
    const needed = period === 1 && isUngrounded(turns[start]) ? FEWEST_REPEATS_UNGROUNDED : FEWEST_REPEATS;
    if (repeats >= needed && end > (longest?.end ?? start)) longest = { start, end, period, repeats };
  }
  return longest;
}

function isUngrounded(turn: TurnFacts | undefined): boolean {
  if (!turn) return false;
  return turn.availableActions.length > 0 ? !turn.admissible : !turn.valid;
}

/** The first turn from `start + period` on that does not repeat the one a period before it. */
function repetitionEnd(turns: readonly TurnFacts[], start: number, period: number): number {
  let end = Math.min(start + period, turns.length);
  for (; end < turns.length; end++) {
    const turn = turns[end];
    const earlier = turns[end - period];
    if (!turn || !earlier || !isRepeated(turn, earlier)) break;
  }
  return end;
}

function hasStateChanged(
  turn: TurnFacts,
  next: TurnFacts | undefined,
  finalPicture: string | null,
): boolean | null {
  if (next && turn.stateHash !== null && next.stateHash !== null) return turn.stateHash !== next.stateHash;
  const pictureAfter = next ? next.picture : finalPicture;
  return turn.picture === null || pictureAfter === null ? null : turn.picture !== pictureAfter;
}

function verdictOf(turn: TurnFacts, stateChanged: boolean | null): Verdict {
  if (!turn.formatOk) return 'no_action';
  const hasList = turn.availableActions.length > 0;
  if (isUngrounded(turn)) return hasList ? 'not_in_list' : 'refused';
  if (stateChanged === false) return 'no_op';
  return hasList ? 'in_list' : 'no_list';
}
