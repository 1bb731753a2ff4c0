import { ENTROPY, lineThrough } from '@/contract/collapse';
import { formatDecimals } from '@/contract/format';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { RunFacts, WatchedSeries } from './run-facts';

/**
 * Entropy far below or above its baseline, by the line through its last 20 steps, which still goes that way: below 60 % a
 * notice, below a tenth (where the rule `entropyCollapse` speaks) or above twice a warning.
 */
export function entropyChange(facts: RunFacts): DetectorReport {
  return merged(facts.of('entropy').map(changeOf));
}

function changeOf({ name, points }: WatchedSeries): DetectorReport {
  const { baselineSteps, steps } = LIMITS.entropy;
  const values = points.map(({ value }) => value);
  const baseline = values.slice(0, baselineSteps).reduce((sum, value) => sum + value, 0) / baselineSteps;
  if (values.length < baselineSteps + steps || !(baseline > 0)) return { reading: null, findings: [] };
  const measured = points.slice(baselineSteps + steps - 1).map(({ step }, offset) => {
    const last = values.slice(baselineSteps + offset, baselineSteps + offset + steps);
    return { step, hit: hitOf(name, step, baseline, lineThrough(last)) };
  });
  const newest = formatDecimals(values.at(-1), 3);
  return {
    reading: `${newest} nats, baseline ${formatDecimals(baseline, 3)}`,
    findings: findingsOf(name, measured),
  };
}

function hitOf(
  name: string,
  step: number,
  baseline: number,
  { slope, end }: { slope: number; end: number },
): Hit | null {
  const { noticeFraction, blowUpFactor } = LIMITS.entropy;
  const falls = slope < 0 && end < noticeFraction * baseline;
  const rises = slope > 0 && end > blowUpFactor * baseline;
  if (!falls && !rises) return null;
  const words = `from ${formatDecimals(baseline, 3)} to ${formatDecimals(end, 3)} nats`;
  return {
    message: falls ? `entropy fell ${words} and still falls` : `entropy rose ${words} and still rises`,
    severity: rises || end < ENTROPY.baselineFraction * baseline ? 'warning' : 'notice',
    evidence: [{ kind: 'series', name, step }],
  };
}
