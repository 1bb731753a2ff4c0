import type { TrajectoryMarks } from '@/contract/failure-cluster';
import type { TrajectorySummary } from '@/contract/run-events';
import type { TrajectoryPhase } from '@/contract/trajectory';
import { LIMITS } from './limits';

/** A trajectory that shows something, and where in it; `size` says how much of it, in the units of its detector. */
export interface Specimen {
  trajectoryId: string;
  turn: number | null;
  size: number;
}

/** What the trajectories of one step and phase add up to. */
export interface StepTrajectories {
  step: number;
  phase: TrajectoryPhase;
  attempt: number;
  n: number;
  /** Those whose outcome is stated: successes are of them. */
  judged: number;
  /** Those whose turns are marked: counts of turns and loops below are of them. */
  marked: number;
  turns: number;
  malformed: number;
  ungrounded: number;
  noneLooped: number;
  looped: number;
  successes: number;
  /** Of those judged, some answer says that the task is completed; of all, one before the last turn. */
  completed: number;
  completedEarly: number;
  positiveRewards: number;
  aboveCeiling: number;
  /** The worst of each. */
  longestNone: Specimen | null;
  longestLoop: (Specimen & { period: number; repeats: number }) | null;
  mostUngrounded: Specimen | null;
  firstCompletedEarly: Specimen | null;
  highestReward: Specimen | null;
  groups: Map<number, GroupFacts>;
}

interface GroupFacts {
  n: number;
  lowest: number;
  highest: number;
  /** Its trajectories were given advantages. */
  isWeighed: boolean;
}

export function emptyStep(step: number, phase: TrajectoryPhase, attempt: number): StepTrajectories {
  return {
    step,
    phase,
    attempt,
    n: 0,
    judged: 0,
    marked: 0,
    turns: 0,
    malformed: 0,
    ungrounded: 0,
    noneLooped: 0,
    looped: 0,
    successes: 0,
    completed: 0,
    completedEarly: 0,
    positiveRewards: 0,
    aboveCeiling: 0,
    longestNone: null,
    longestLoop: null,
    mostUngrounded: null,
    firstCompletedEarly: null,
    highestReward: null,
    groups: new Map(),
  };
}

/** Counts a trajectory in; changes `step`. */
export function addTrajectory(
  step: StepTrajectories,
  summary: TrajectorySummary,
  marks: TrajectoryMarks | null,
): void {
  const { id: trajectoryId, reward, shapedReward, success, group, advantage } = summary;
  step.n += 1;
  step.judged += Number(success !== null);
  step.successes += Number(success === true);
  if (reward !== null) {
    step.positiveRewards += Number(reward > 0);
    step.aboveCeiling += Number(reward > LIMITS.paidReward.ceiling);
    step.highestReward = larger(step.highestReward, { trajectoryId, turn: null, size: reward });
  }
  const learnt = shapedReward ?? reward;
  if (group !== null && learnt !== null) {
    const known = step.groups.get(group) ?? { n: 0, lowest: learnt, highest: learnt, isWeighed: false };
    step.groups.set(group, {
      n: known.n + 1,
      lowest: Math.min(known.lowest, learnt),
      highest: Math.max(known.highest, learnt),
      isWeighed: known.isWeighed || advantage !== null,
    });
  }
  // Where nobody says whether it was won, there is no flag that the environment's words deny.
  if (marks !== null) addMarks(step, trajectoryId, marks, success !== null);
}

function addMarks(
  step: StepTrajectories,
  trajectoryId: string,
  marks: TrajectoryMarks,
  isJudged: boolean,
): void {
  const { noneAvailable, loop, firstUngrounded, completedEarly } = marks;
  step.marked += 1;
  step.turns += marks.turns;
  step.malformed += marks.malformed;
  step.ungrounded += marks.ungrounded;
  step.completed += Number(marks.completed && isJudged);
  if (firstUngrounded !== null)
    step.mostUngrounded = larger(step.mostUngrounded, {
      trajectoryId,
      turn: firstUngrounded,
      size: marks.ungrounded,
    });
  if (noneAvailable !== null && noneAvailable.length >= LIMITS.noneAvailable.inARow) {
    step.noneLooped += 1;
    step.longestNone = larger(step.longestNone, {
      trajectoryId,
      turn: noneAvailable.start,
      size: noneAvailable.length,
    });
  }
  if (loop !== null) {
    step.looped += 1;
    step.longestLoop = larger(step.longestLoop, {
      trajectoryId,
      turn: loop.start,
      size: loop.length,
      period: loop.period,
      repeats: loop.repeats,
    });
  }
  if (completedEarly !== null) {
    step.completedEarly += 1;
    step.firstCompletedEarly ??= { trajectoryId, turn: completedEarly, size: 1 };
  }
}

/** Of equal ones the first. */
function larger<Kind extends Specimen>(known: Kind | null, other: Kind): Kind {
  return known !== null && known.size >= other.size ? known : other;
}
