import type { AlertEvidence } from '@/contract/alert';
import { formatCount, formatPercent } from '@/contract/format';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport } from './report';
import type { RunFacts } from './run-facts';

/**
 * Groups of one have no baseline: their advantage is the reward itself, or nothing. More than a tenth of the rows in such
 * groups, or a smallest group of one. Trajectories that were given no advantage need no baseline.
 */
export function singletonGroups(facts: RunFacts): DetectorReport {
  return merged([
    ofTrajectories(facts),
    ...facts.of('lone_turns').map(({ name, points }) => {
      const shares = points.map(({ step, value }) => ({ step, share: value, words: 'turns' }));
      return reportOf(name, shares, (step) => ({ kind: 'series', name, step }));
    }),
    ...facts.of('smallest_group').map(({ name, points }) => {
      const evidenceAt = (step: number): AlertEvidence => ({ kind: 'series', name, step });
      const message = 'the smallest group has one row: it has no baseline';
      return {
        reading: points.length === 0 ? null : `smallest group ${points.at(-1)?.value ?? ''}`,
        findings: findingsOf(
          name,
          points.map(({ step, value }) => ({
            step,
            hit: value === 1 ? { message, severity: 'notice', evidence: [evidenceAt(step)] } : null,
          })),
        ),
      };
    }),
  ]);
}

function ofTrajectories(facts: RunFacts): DetectorReport {
  const shares = facts.trajectories('train').flatMap(({ step, groups }) => {
    const weighed = [...groups.values()].filter(({ isWeighed }) => isWeighed);
    const rows = weighed.reduce((sum, { n }) => sum + n, 0);
    const alone = weighed.filter(({ n }) => n === 1).length;
    return rows === 0
      ? []
      : [
          {
            step,
            share: alone / rows,
            words: `trajectories (${formatCount(alone)} of ${formatCount(rows)})`,
          },
        ];
  });
  return reportOf('train', shares, (step) => ({ kind: 'step', step, phase: 'train' }));
}

function reportOf(
  subject: string,
  shares: readonly { step: number; share: number; words: string }[],
  evidenceAt: (step: number) => AlertEvidence,
): DetectorReport {
  const newest = shares.at(-1);
  const limit = LIMITS.singletons.share;
  return {
    reading: newest
      ? `${formatPercent(newest.share)} % of ${newest.words}, limit ${formatPercent(limit)} %`
      : null,
    findings: findingsOf(
      subject,
      shares.map(({ step, share, words }) => {
        if (share <= limit) return { step, hit: null };
        const message = `${formatPercent(share)} % of ${words} are in groups of one, which have no baseline`;
        return { step, hit: { message, severity: 'warning', evidence: [evidenceAt(step)] } };
      }),
    ),
  };
}
