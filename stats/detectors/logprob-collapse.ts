import { LOGPROB_STEPS, logprobCollapse } from '@/contract/collapse';
import type { AlertEvidence } from '@/contract/alert';
import { formatDecimals } from '@/contract/format';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { Point, RunFacts } from './run-facts';

/** The sampler's log-probability drops: `logprobCollapse` at every step, with the spikes of the update beside it. */
export function logprobCollapseDetector(facts: RunFacts): DetectorReport {
  return merged(
    facts.of('sampler_logprob').map(({ name, points }) => {
      const found = collapses(points.map(({ value }) => value));
      const newest = points.at(-1);
      return {
        reading:
          newest && points.length > LIMITS.logprob.withinSteps + LIMITS.logprob.fewestReferenceSteps
            ? `mean ${formatDecimals(newest.value, 3)} nats, limit a drop of ${LIMITS.logprob.sigmas} robust sigmas`
            : null,
        findings: findingsOf(
          name,
          points.map(({ step }, index) => {
            const message = found[index] ?? null;
            return { step, hit: message === null ? null : hitOf(facts, name, step, message) };
          }),
        ),
      };
    }),
  );
}

function hitOf(facts: RunFacts, name: string, step: number, message: string): Hit {
  return {
    message,
    severity: 'warning',
    evidence: [{ kind: 'series', name, step }, ...spikesAt(facts, step)],
  };
}

function collapses(values: readonly number[]): (string | null)[] {
  return values.map((_, index) =>
    logprobCollapse(values.slice(Math.max(0, index + 1 - LOGPROB_STEPS), index + 1)),
  );
}

/** KL, clip fraction, gradient norm or mismatch that rose at the step as the log-probability fell. */
function spikesAt(facts: RunFacts, step: number): AlertEvidence[] {
  return facts.of('update_size').flatMap(({ name, points }) => {
    const until: Point[] = points.filter((point) => point.step <= step).slice(-LOGPROB_STEPS);
    const isAtStep = until.at(-1)?.step === step;
    return isAtStep && logprobCollapse(until.map(({ value }) => -value)) !== null
      ? [{ kind: 'series' as const, name, step }]
      : [];
  });
}
