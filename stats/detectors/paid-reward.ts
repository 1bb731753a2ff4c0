import { formatCount, formatNumber } from '@/contract/format';
import { TRAJECTORY_PHASES, type TrajectoryPhase } from '@/contract/trajectory';
import { trajectoryEvidence } from './action-loops';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { RunFacts, WatchedSeries } from './run-facts';
import type { StepTrajectories } from './step-trajectories';

const { ceiling, fewestPositive, scaledShare } = LIMITS.paidReward;

/**
 * A reward above 1 where 1 is the most that a task pays, or turns after the environment has said that the task is completed:
 * an environment that pays twice. Where most rewards of several are above 1, its scale is another and nothing is said.
 */
export function paidReward(facts: RunFacts): DetectorReport {
  return merged([
    ...TRAJECTORY_PHASES.map((phase) => ofPhase(facts, phase)),
    ...facts.of('highest_reward').map(ofSeries),
  ]);
}

function ofPhase(facts: RunFacts, phase: TrajectoryPhase): DetectorReport {
  const steps = facts.trajectories(phase);
  const positive = steps.reduce((sum, step) => sum + step.positiveRewards, 0);
  const above = steps.reduce((sum, step) => sum + step.aboveCeiling, 0);
  const scaled = isScaled(above, positive);
  const rewards = steps.flatMap(({ highestReward }) => highestReward?.size ?? []);
  return {
    reading:
      rewards.length === 0
        ? null
        : `${phase}: highest ${formatNumber(Math.max(...rewards))}, limit ${ceiling}`,
    findings: findingsOf(
      phase,
      steps.map((step) => ({ step: step.step, hit: hitOf(step, scaled) })),
    ),
  };
}

function hitOf(
  { n, aboveCeiling, completedEarly, highestReward, firstCompletedEarly }: StepTrajectories,
  scaled: boolean,
): Hit | null {
  const isAbove = aboveCeiling > 0 && !scaled;
  const specimens = [isAbove ? highestReward : null, firstCompletedEarly].filter((each) => each !== null);
  if (specimens.length === 0) return null;
  const words = [
    isAbove
      ? `${formatCount(aboveCeiling)} of ${formatCount(n)} trajectories have a reward above ${ceiling}, the highest ${formatNumber(highestReward?.size)}`
      : [],
    completedEarly > 0
      ? `${formatCount(completedEarly)} of ${formatCount(n)} go on after their task is completed`
      : [],
  ].flat();
  return { message: words.join('; '), severity: 'warning', evidence: specimens.map(trajectoryEvidence) };
}

function ofSeries({ name, points }: WatchedSeries): DetectorReport {
  const positive = points.filter(({ value }) => value > 0).length;
  const scaled = isScaled(points.filter(({ value }) => value > ceiling).length, positive);
  const newest = points.at(-1);
  return {
    reading: newest ? `${name} ${formatNumber(newest.value)}, limit ${ceiling}` : null,
    findings: findingsOf(
      name,
      points.map(({ step, value }) => {
        if (scaled || value <= ceiling) return { step, hit: null };
        const message = `the highest reward of the step is ${formatNumber(value)}, above ${ceiling}`;
        const hit: Hit = { message, severity: 'warning', evidence: [{ kind: 'series', name, step }] };
        return { step, hit };
      }),
    ),
  };
}

function isScaled(above: number, positive: number): boolean {
  return positive >= fewestPositive && above > scaledShare * positive;
}
