import { median } from '@/contract/collapse';
import { formatCount, formatDecimals, formatPercent } from '@/contract/format';
import { judgeWords } from '@/contract/judge-table';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { RunFacts, WatchedSeries } from './run-facts';

/**
 * Replies a quarter as long or four times as long as in the first 20 steps, more than a fifth of them cut at the limit, or a
 * judge whose scores go with their length.
 */
export function lengthChange(facts: RunFacts): DetectorReport {
  return merged([
    ...facts.of('reply_length').map(ratioOf),
    ...facts.of('clipped_replies').map(clippingOf),
    judgedByLength(facts),
  ]);
}

function ratioOf({ name, points }: WatchedSeries): DetectorReport {
  const { baselineSteps, collapseRatio, explosionRatio } = LIMITS.length;
  const first = points[0]?.step ?? 0;
  const baseline = median(
    points.filter(({ step }) => step <= first + baselineSteps).map(({ value }) => value),
  );
  const newest = points.at(-1);
  if (!newest || newest.step === first || !(baseline > 0)) return { reading: null, findings: [] };
  const measured = points.map(({ step, value }) => {
    const ratio = value / baseline;
    const isFar = ratio < collapseRatio || ratio > explosionRatio;
    if (!isFar || step <= first + baselineSteps) return { step, hit: null };
    const message =
      `replies of ${formatDecimals(value, 0)} tokens, ${formatDecimals(ratio, 2)} times the ` +
      `${formatDecimals(baseline, 0)} of steps ${first} to ${first + baselineSteps}`;
    const hit: Hit = { message, severity: 'warning', evidence: [{ kind: 'series', name, step }] };
    return { step, hit };
  });
  return {
    reading: `${formatDecimals(newest.value, 0)} tokens, baseline ${formatDecimals(baseline, 0)}`,
    findings: findingsOf(name, measured),
  };
}

function clippingOf({ name, points }: WatchedSeries): DetectorReport {
  const { clippedShare } = LIMITS.length;
  const newest = points.at(-1);
  const measured = points.map(({ step, value }) => {
    if (value <= clippedShare) return { step, hit: null };
    const message = `${formatPercent(value)} % of replies were cut at the longest length, limit ${formatPercent(clippedShare)} %`;
    const hit: Hit = { message, severity: 'notice', evidence: [{ kind: 'series', name, step }] };
    return { step, hit };
  });
  return {
    reading: newest ? `${formatPercent(newest.value)} % cut, limit ${formatPercent(clippedShare)} %` : null,
    findings: findingsOf(name, measured),
  };
}

function judgedByLength(facts: RunFacts): DetectorReport {
  const { judgeCorrelation } = LIMITS.length;
  const tables = facts.judgeTables().filter(({ lengthCorrelation }) => lengthCorrelation !== null);
  const newest = tables.at(-1);
  const measured = tables.map(({ judge, toStep, fromStep, lengthCorrelation, rows }) => {
    const n = rows.find(({ taskType }) => taskType === null)?.n ?? 0;
    const correlation = lengthCorrelation ?? 0;
    const message =
      `${judgeWords(judge)} scores ${correlation < 0 ? 'short' : 'long'} replies higher: Spearman ` +
      `${formatDecimals(correlation, 2)} of length and score, n = ${formatCount(n)} turns of steps ${fromStep} to ${toStep}`;
    const hit: Hit = {
      message,
      severity: 'notice',
      evidence: [{ kind: 'step', step: Math.max(0, toStep - 1), phase: 'train' }],
    };
    return { step: toStep, hit: Math.abs(correlation) >= judgeCorrelation ? hit : null };
  });
  return {
    reading: newest
      ? `judge and length: Spearman ${formatDecimals(newest.lengthCorrelation, 2)}, limit ±${judgeCorrelation}`
      : null,
    findings: findingsOf('judge', measured),
  };
}
