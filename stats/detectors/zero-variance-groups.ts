import type { AlertEvidence } from '@/contract/alert';
import { formatPercent } from '@/contract/format';
import { LIMITS } from './limits';
import { findingsOf, type DetectorReport, type Hit } from './report';
import type { Point, RunFacts } from './run-facts';

/** The share of a step's groups whose rewards are all equal, and what says so. */
interface ZeroVariance {
  subject: string;
  points: readonly Point[];
  evidenceAt: (step: number) => AlertEvidence;
}

/** Groups whose rewards are all equal teach nothing: more than 60 % of them, or all, for five steps in a row. */
export function zeroVarianceGroups(facts: RunFacts): DetectorReport {
  const shares = sharesOf(facts);
  const newest = shares?.points.at(-1);
  const { inARow, noticeShare, warningShare } = LIMITS.zeroVariance;
  if (!shares || !newest || shares.points.length < inARow) return { reading: null, findings: [] };
  const { subject, points, evidenceAt } = shares;
  const measured = points.map(({ step }, index) => {
    const last = points.slice(Math.max(0, index + 1 - inARow), index + 1);
    const lowest = Math.min(...last.map(({ value }) => value));
    if (last.length < inARow || lowest <= noticeShare) return { step, hit: null };
    const message =
      `${lowest >= warningShare ? 'all' : `at least ${formatPercent(lowest)} % of`} groups have rewards that do not differ, ` +
      `steps ${last[0]?.step ?? step} to ${step}`;
    const hit: Hit = {
      message,
      severity: lowest >= warningShare ? 'warning' : 'notice',
      evidence: [evidenceAt(step)],
    };
    return { step, hit };
  });
  return {
    reading: `${formatPercent(newest.value)} % of groups, limit ${formatPercent(noticeShare)} % for ${inARow} steps`,
    findings: findingsOf(subject, measured),
  };
}

/** From the series that says it, else from the groups themselves, else from what follows when no reward differs. */
function sharesOf(facts: RunFacts): ZeroVariance | null {
  const [degenerate] = facts.of('degenerate_groups');
  if (degenerate) return ofSeries(degenerate.name, untrainedAsAll(degenerate.points, facts));
  const groups = fromGroups(facts);
  if (groups.length > 0)
    return {
      subject: 'train',
      points: groups,
      evidenceAt: (step) => ({ kind: 'step', step, phase: 'train' }),
    };
  const [highest] = facts.of('highest_reward');
  const [lowest] = facts.of('lowest_reward');
  if (highest && lowest) {
    const lowestAt = new Map(lowest.points.map(({ step, value }) => [step, value]));
    const equal = highest.points.map(({ step, value }) => ({
      step,
      value: Number(value === lowestAt.get(step)),
    }));
    return ofSeries(highest.name, equal);
  }
  const [skipped] = facts.of('update_skipped');
  return skipped ? ofSeries(skipped.name, skipped.points) : null;
}

function ofSeries(name: string, points: readonly Point[]): ZeroVariance {
  return { subject: name, points, evidenceAt: (step) => ({ kind: 'series', name, step }) };
}

/** A step in which no token was trained on had nothing to learn from, whatever its groups. */
function untrainedAsAll(points: readonly Point[], facts: RunFacts): Point[] {
  const [trained] = facts.of('trained_tokens');
  const untrained = new Set(trained?.points.filter(({ value }) => value === 0).map(({ step }) => step));
  return points.map(({ step, value }) => ({ step, value: untrained.has(step) ? 1 : value }));
}

/** A group of one has no variance by its size, which is another detector's. */
function fromGroups(facts: RunFacts): Point[] {
  return facts.trajectories('train').flatMap(({ step, groups }) => {
    const several = [...groups.values()].filter(({ n }) => n > 1);
    const equal = several.filter(({ lowest, highest }) => lowest === highest);
    return several.length === 0 ? [] : [{ step, value: equal.length / several.length }];
  });
}
