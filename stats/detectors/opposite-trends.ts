import { formatNumber, formatPercent } from '@/contract/format';
import { kendallTrend } from '../kendall-trend';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { Point, RunFacts, WatchedSeries } from './run-facts';

/** A training metric that is to rise (1) or to fall (-1). */
interface Surrogate extends WatchedSeries {
  direction: 1 | -1;
}

/**
 * What training optimises gets better while success in evaluation falls: over the last five evaluated steps both go their way
 * almost without exception, and success has lost 5 pp or more.
 */
export function oppositeTrends(facts: RunFacts): DetectorReport {
  const surrogates: Surrogate[] = [
    ...[...facts.of('reward'), ...facts.of('training_success')].map((each) => ({
      ...each,
      direction: 1 as const,
    })),
    ...facts.of('teacher_divergence').map((each) => ({ ...each, direction: -1 as const })),
  ];
  return merged(
    evaluationCurves(facts).flatMap((evaluation) =>
      surrogates.map((surrogate) => trendsOf(surrogate, evaluation)),
    ),
  );
}

interface EvaluationCurve extends WatchedSeries {
  split: string | null;
}

/** Success by evaluated step: of the evaluations where there are any, else of the series that state it. */
function evaluationCurves(facts: RunFacts): EvaluationCurve[] {
  const evaluations = facts.evaluations();
  if (evaluations.length === 0)
    return facts.of('evaluation_success').map((each) => ({ ...each, split: null }));
  const keys = new Set(evaluations.map(({ split, decoding }) => `${split}, ${decoding}`));
  return [...keys].map((name) => {
    const ofKey = evaluations.filter(({ split, decoding }) => `${split}, ${decoding}` === name);
    const points = ofKey.map(({ step, successes, n }) => ({ step, value: successes / n }));
    return { name, points, split: ofKey[0]?.split ?? null };
  });
}

function trendsOf(surrogate: Surrogate, evaluation: EvaluationCurve): DetectorReport {
  const { fewestEvaluations, evaluations } = LIMITS.opposite;
  const both = sideBySide(surrogate.points, evaluation.points);
  if (both.length < fewestEvaluations) return { reading: null, findings: [] };
  const measured = both.map(({ step }, index) => ({
    step,
    hit: hitOf(both.slice(Math.max(0, index + 1 - evaluations), index + 1), surrogate, evaluation),
  }));
  return {
    reading: `${surrogate.name} and ${evaluation.name}: ${both.length} evaluated steps`,
    findings: findingsOf(`${surrogate.name} / ${evaluation.name}`, measured),
  };
}

interface Pair {
  step: number;
  training: number;
  success: number;
}

/** Each evaluated step with the newest training value up to it; steps before training are left out. Both by step. */
function sideBySide(training: readonly Point[], success: readonly Point[]): Pair[] {
  let next = 0;
  return success.flatMap(({ step, value }) => {
    while ((training[next]?.step ?? Infinity) <= step) next++;
    const newest = training[next - 1];
    return newest ? [{ step, training: newest.value, success: value }] : [];
  });
}

function hitOf(window: readonly Pair[], surrogate: Surrogate, evaluation: EvaluationCurve): Hit | null {
  const { fewestEvaluations, tau, drop } = LIMITS.opposite;
  const first = window[0];
  const last = window.at(-1);
  if (!first || !last || window.length < fewestEvaluations) return null;
  if (first.success - last.success < drop) return null;
  const improves = surrogate.direction * kendallTrend(window.map(({ training }) => training)) >= tau;
  const falls = kendallTrend(window.map(({ success }) => success)) <= -tau;
  if (!improves || !falls) return null;
  return {
    message:
      `${surrogate.name} went from ${formatNumber(first.training)} to ${formatNumber(last.training)} while success on ` +
      `${evaluation.name} fell from ${formatPercent(first.success)} to ${formatPercent(last.success)} %, ` +
      `${window.length} evaluated steps, ${first.step} to ${last.step}`,
    severity: 'warning',
    evidence: [
      { kind: 'series', name: surrogate.name, step: last.step },
      evaluation.split === null
        ? { kind: 'series', name: evaluation.name, step: last.step }
        : { kind: 'evaluation', split: evaluation.split, step: last.step },
    ],
  };
}
