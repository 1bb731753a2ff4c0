import { BASELINE_STEPS, formatCollapses } from '@/contract/collapse';
import { formatPercent } from '@/contract/format';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport } from './report';
import type { RunFacts, WatchedSeries } from './run-facts';

/** Replies cease to keep the format: `formatCollapse` at every step. Counted from turns where no series has their share. */
export function formatCollapseDetector(facts: RunFacts): DetectorReport {
  const series = [
    ...facts.of('format_kept').map((kept) => ({
      ...kept,
      points: kept.points.map(({ step, value }) => ({ step, value: 1 - value })),
    })),
    ...facts.of('format_broken'),
  ];
  return merged((series.length > 0 ? series : [fromTurns(facts)]).map(collapseOf));
}

function fromTurns(facts: RunFacts): WatchedSeries {
  const steps = facts.trajectories('train').filter(({ turns }) => turns > 0);
  return {
    name: 'train',
    points: steps.map(({ step, malformed, turns }) => ({ step, value: malformed / turns })),
  };
}

function collapseOf({ name, points }: WatchedSeries): DetectorReport {
  const words = formatCollapses(points.map(({ value }) => value));
  const newest = points.at(-1);
  return {
    reading:
      newest && points.length > BASELINE_STEPS
        ? `${formatPercent(newest.value)} % of replies break it, limit ${formatPercent(LIMITS.format.ceiling)} %`
        : null,
    findings: findingsOf(
      name,
      points.map(({ step }, index) => {
        const message = words[index] ?? null;
        const evidence =
          name === 'train'
            ? ({ kind: 'step', step, phase: name } as const)
            : ({ kind: 'series', name, step } as const);
        return {
          step,
          hit: message === null ? null : { message, severity: 'warning', evidence: [evidence] },
        };
      }),
    ),
  };
}
