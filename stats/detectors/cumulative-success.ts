import { formatNumber } from '@/contract/format';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { RunFacts, WatchedSeries } from './run-facts';

/**
 * A success metric that has never fallen from its first point on, over ten points and five rises: rates of separate samples
 * fall now and then even while a policy learns, a sum or an "ever solved" does not.
 */
export function cumulativeSuccess(facts: RunFacts): DetectorReport {
  return merged(facts.of('outcome').map(ofSeries));
}

function ofSeries({ name, points }: WatchedSeries): DetectorReport {
  const { points: fewest, rises: fewestRises } = LIMITS.cumulative;
  if (points.length < fewest) return { reading: null, findings: [] };
  let rises = 0;
  let falls = 0;
  const measured = points.map(({ step, value }, index) => {
    const before = points[index - 1]?.value ?? value;
    rises += Number(value > before);
    falls += Number(value < before);
    if (falls > 0 || index + 1 < fewest || rises < fewestRises) return { step, hit: null };
    const message =
      `${name} has not fallen once in ${index + 1} points, ${formatNumber(points[0]?.value)} to ${formatNumber(value)} ` +
      `with ${rises} rises: it may count what was ever won, not what this step won`;
    const hit: Hit = { message, severity: 'notice', evidence: [{ kind: 'series', name, step }] };
    return { step, hit };
  });
  return {
    reading: `${name} fell ${falls} times in ${points.length} points`,
    findings: findingsOf(name, measured, 'newest'),
  };
}
