import { TRAJECTORY_PHASES } from '@/contract/trajectory';
import { formatCount, formatNumber } from '@/contract/format';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { RunFacts, WatchedSeries } from './run-facts';

/**
 * A success metric with one and the same value at every step says nothing: 1 from the first point on, 0 although
 * another measure says that a fifth is won, or another value for longer than chance would hold it. So does a flag of success that is false wherever the
 * environment says that the task is completed.
 */
export function constantMetric(facts: RunFacts): DetectorReport {
  const outcomes = facts.of('outcome');
  const reward = facts.of('environment_reward');
  return merged([
    ...outcomes.map((outcome) => {
      const others = [...reward, ...outcomes.filter(({ name }) => name !== outcome.name)];
      return ofSeries(outcome, others);
    }),
    successFlag(facts),
  ]);
}

function ofSeries({ name, points }: WatchedSeries, others: readonly WatchedSeries[]): DetectorReport {
  const first = points[0];
  if (!first || points.length < LIMITS.constant.points) return { reading: null, findings: [] };
  const firstOther = points.findIndex(({ value }) => value !== first.value);
  const deniedFrom = Math.min(...others.map(deniesFrom));
  const { points: fewest, pointsWithin } = LIMITS.constant;
  const needed = first.value === 1 ? fewest : pointsWithin;
  const measured = points.map(({ step }, index) => {
    const isConstant = firstOther === -1 || index < firstOther;
    const isSuspect = first.value !== 0 || step >= deniedFrom;
    const isFound = isConstant && isSuspect && index + 1 >= needed;
    return { step, hit: isFound ? hitOf(name, index + 1, first, step) : null };
  });
  return {
    reading: `${name} ${firstOther === -1 ? `= ${formatNumber(first.value)} at all ${points.length} points` : 'varies'}`,
    findings: findingsOf(name, measured, 'newest'),
  };
}

function hitOf(name: string, count: number, first: { step: number; value: number }, step: number): Hit {
  return {
    message: `${name} = ${formatNumber(first.value)} at all ${count} points, steps ${first.step} to ${step}: constant, or written in by hand`,
    severity: 'notice',
    evidence: [{ kind: 'series', name, step }],
  };
}

/** The step from which on another measure of success denies a constant 0: its mean since the start is a fifth or more. */
function deniesFrom({ points }: WatchedSeries): number {
  const { pointsWithin, deniedMean } = LIMITS.constant;
  let sum = 0;
  const index = points.findIndex(({ value }, at) => {
    sum += value;
    return at + 1 >= pointsWithin && sum / (at + 1) >= deniedMean;
  });
  return points[index]?.step ?? Infinity;
}

function successFlag(facts: RunFacts): DetectorReport {
  const { fewestTrajectories, fewestCompleted } = LIMITS.constant;
  const steps = TRAJECTORY_PHASES.flatMap((phase) => facts.trajectories(phase)).sort(
    (a, b) => a.step - b.step,
  );
  let n = 0;
  let successes = 0;
  let completed = 0;
  const measured = steps.map((each) => {
    n += each.judged;
    successes += each.successes;
    completed += each.completed;
    const isDenied = successes === 0 && n >= fewestTrajectories && completed >= fewestCompleted;
    const message =
      `success is false in all ${formatCount(n)} trajectories, though the environment says in ` +
      `${formatCount(completed)} that the task is completed`;
    const { step, phase } = each;
    const hit: Hit = { message, severity: 'warning', evidence: [{ kind: 'step', step, phase }] };
    return { step, hit: isDenied ? hit : null };
  });
  return {
    reading:
      n < fewestTrajectories ? null : `${formatCount(successes)} of ${formatCount(n)} trajectories succeeded`,
    findings: findingsOf('success', measured, 'newest'),
  };
}
