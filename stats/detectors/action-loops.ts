import type { AlertEvidence } from '@/contract/alert';
import { formatCount, formatPercent } from '@/contract/format';
import { TRAJECTORY_PHASES, type TrajectoryPhase } from '@/contract/trajectory';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { RunFacts } from './run-facts';
import type { Specimen, StepTrajectories } from './step-trajectories';

/** Three actions or more in a row that say that there is none: a policy that has given up. */
export function noneAvailableLoop(facts: RunFacts): DetectorReport {
  return byPhase(
    facts,
    ({ noneLooped, longestNone, n, step, phase }) =>
      longestNone === null
        ? null
        : {
            message:
              `${countWords(noneLooped, n)} say ${LIMITS.noneAvailable.inARow} times in a row or more that no action is available, ` +
              `the longest ${longestNone.size} times`,
            severity: noneLooped / n >= LIMITS.noneAvailable.warningShare ? 'warning' : 'notice',
            evidence: [trajectoryEvidence(longestNone), { kind: 'step', step, phase }],
          },
    ({ noneLooped, n }) => countWords(noneLooped, n),
  );
}

/** The same action in the same state, or a few in turn: loops as the marks of turns have them. */
export function repeatedActions(facts: RunFacts): DetectorReport {
  return byPhase(
    facts,
    ({ looped, longestLoop, n, step, phase }) =>
      longestLoop === null
        ? null
        : {
            message: `${countWords(looped, n)} repeat themselves, the longest ${loopWords(longestLoop)}`,
            severity: looped / n >= LIMITS.repeated.warningShare ? 'warning' : 'notice',
            evidence: [trajectoryEvidence(longestLoop), { kind: 'step', step, phase }],
          },
    ({ looped, n }) => countWords(looped, n),
  );
}

/** Actions that were not offered or, where none are offered, were refused: more than 30 % of a step's turns. */
export function ungroundedActions(facts: RunFacts): DetectorReport {
  const { share, fewestTurns } = LIMITS.ungrounded;
  return byPhase(
    facts,
    ({ ungrounded, turns, mostUngrounded, marked, step, phase }) =>
      mostUngrounded === null || ungrounded < fewestTurns || ungrounded / turns <= share
        ? null
        : {
            message:
              `${formatCount(ungrounded)} of ${formatCount(turns)} turns (${formatPercent(ungrounded / turns)} %) of ` +
              `${formatCount(marked)} trajectories have an action that was not offered or was refused`,
            severity: 'warning',
            evidence: [trajectoryEvidence(mostUngrounded), { kind: 'step', step, phase }],
          },
    ({ ungrounded, turns }) =>
      `${formatPercent(ungrounded / turns)} % of ${formatCount(turns)} turns, limit ${formatPercent(share)} %`,
  );
}

/** Phases apart: greedy evaluations and sampled training behave differently, and their shares have other denominators. */
function byPhase(
  facts: RunFacts,
  hitAt: (step: StepTrajectories) => Hit | null,
  readingOf: (step: StepTrajectories) => string,
): DetectorReport {
  const phases = TRAJECTORY_PHASES.filter((phase) => phase !== 'manual');
  return merged(phases.map((phase) => ofPhase(facts, phase, hitAt, readingOf)));
}

function ofPhase(
  facts: RunFacts,
  phase: TrajectoryPhase,
  hitAt: (step: StepTrajectories) => Hit | null,
  readingOf: (step: StepTrajectories) => string,
): DetectorReport {
  const steps = facts.trajectories(phase).filter(({ turns }) => turns > 0);
  const newest = steps.at(-1);
  return {
    reading: newest ? `${phase}, step ${newest.step}: ${readingOf(newest)}` : null,
    findings: findingsOf(
      phase,
      steps.map((step) => ({ step: step.step, hit: hitAt(step) })),
    ),
  };
}

function countWords(count: number, n: number): string {
  return `${formatCount(count)} of ${formatCount(n)} trajectories`;
}

function loopWords({ period, repeats, size }: { period: number; repeats: number; size: number }): string {
  return period === 1 ? `one action ${size} times` : `${period} actions in turn ${repeats} times`;
}

export function trajectoryEvidence({ trajectoryId, turn }: Specimen): AlertEvidence {
  return { kind: 'trajectory', trajectoryId, turn };
}
