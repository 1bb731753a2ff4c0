import type { FailureMode, TrajectoryMarks } from '@/contract/failure-cluster';
import type { Trajectory } from '@/contract/trajectory';
import { isMarked, markTurns, type TurnFacts, type TurnMark } from './turn-marks';

type MarkedTurn = TurnFacts & { reply: string };

/** What the marks of a trajectory are made from. */
export type TrajectoryFacts = Pick<
  Trajectory,
  'success' | 'stopReason' | 'givenTurns' | 'finalPicture' | 'finalObservation'
> & { turns: readonly MarkedTurn[] };

/** `None available`, `no valid action`: an action that says that there is none. */
const SAYS_NONE = /\bnone\b|\bno (?:valid )?actions?\b|\bnot available\b/i;
const SAYS_COMPLETED = /\btask (?:is )?completed\b/i;
/** A reply without an action is read as one only where it is no longer than an action could be. */
const LONGEST_ACTION = 80;

/** The marks of a finished trajectory, from those of its turns. Turns that were given are the context of others, not marked. */
export function markTrajectory(trajectory: TrajectoryFacts): TrajectoryMarks {
  const { turns, givenTurns, finalPicture } = trajectory;
  const marks = markTurns(turns, finalPicture);
  const own = turns.map((_, index) => index).filter((index) => index >= givenTurns);
  const ungrounded = own.filter((index) => isUngrounded(marks[index]));
  const firstBadTurn = own.find((index) => marks[index] && isMarked(marks[index])) ?? null;
  const isLost = trajectory.success === false;
  const completed = own.filter((index) => SAYS_COMPLETED.test(answerTo(trajectory, index)));
  const early = completed.find((index) => index < turns.length - 1) ?? null;
  return {
    turns: own.length,
    malformed: own.filter((index) => turns[index]?.formatOk === false).length,
    ungrounded: ungrounded.length,
    firstUngrounded: ungrounded[0] ?? null,
    noneAvailable: longestStretch(own.filter((index) => saysNone(turns[index]))),
    loop: longestLoop(own.flatMap((index) => marks[index]?.loop ?? [])),
    completedEarly: early,
    completed: completed.length > 0,
    failureMode: isLost ? failureMode(trajectory, marks, firstBadTurn) : null,
    firstBadTurn: isLost ? firstBadTurn : null,
  };
}

function isUngrounded(mark: TurnMark | undefined): boolean {
  return mark?.verdict === 'not_in_list' || mark?.verdict === 'refused';
}

/** What the environment said to the action of a turn: the observation after it. */
function answerTo({ turns, finalObservation }: TrajectoryFacts, index: number): string {
  return turns[index + 1]?.observation ?? finalObservation ?? '';
}

function saysNone(turn: MarkedTurn | undefined): boolean {
  if (!turn) return false;
  const said = turn.action === '' ? (turn.reply.split(/action:/i).at(-1) ?? '').trim() : turn.action;
  return said.length <= LONGEST_ACTION && SAYS_NONE.test(said);
}

/** The longest run of indices that follow each other; of equal ones the first. */
function longestStretch(indices: readonly number[]): TrajectoryMarks['noneAvailable'] {
  let longest: { start: number; length: number } | null = null;
  let start = NaN;
  indices.forEach((index, place) => {
    if (indices[place - 1] !== index - 1) start = index;
    const length = index - start + 1;
    if (length > (longest?.length ?? 0)) longest = { start, length };
  });
  return longest;
}

function longestLoop(
  loops: readonly { start: number; end: number; period: number; repeats: number }[],
): TrajectoryMarks['loop'] {
  const longest = loops.reduce<(typeof loops)[number] | null>(
    (best, loop) => (best !== null && best.end - best.start >= loop.end - loop.start ? best : loop),
    null,
  );
  return (
    longest && {
      start: longest.start,
      length: longest.end - longest.start,
      period: longest.period,
      repeats: longest.repeats,
    }
  );
}

function failureMode(
  { turns, stopReason }: TrajectoryFacts,
  marks: readonly TurnMark[],
  firstBadTurn: number | null,
): FailureMode {
  const mark = firstBadTurn === null ? undefined : marks[firstBadTurn];
  if (firstBadTurn === null || !mark)
    return stopReason === 'success' || stopReason === 'not_stated' ? 'failure' : stopReason;
  if (saysNone(turns[firstBadTurn])) return 'none_available';
  if (mark.verdict === 'in_list' || mark.verdict === 'no_list') return 'loop';
  return mark.verdict;
}
