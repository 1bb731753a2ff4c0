import {
  benchmarkTitle,
  type CapabilityResult,
  type CapabilityRow,
  type CapabilityScore,
} from '@/contract/capability';
import { capabilityChange, type CapabilityChange } from '@/stats/capability-change';

/** A score of a model with that of its base. */
export interface ScoreRow {
  key: string;
  model: string;
  isBase: boolean;
  step: number;
  metric: string;
  score: CapabilityScore;
  /** Right answers of `score.n`, where both are known. */
  correct: number | null;
  /** Against the base; `reason` where there is no such comparison. */
  change: CapabilityChange | { kind: 'none'; reason: string };
  /** Of the result that the score is of: shown with its first score. */
  result: CapabilityResult;
  isFirst: boolean;
}

/** The scores of one benchmark, the base's first. */
export interface BenchmarkRows {
  benchmark: string;
  title: string;
  rows: ScoreRow[];
}

/** Scores by benchmark, each against the same score of the base that is stated with it. */
export function benchmarkRows(capabilities: readonly CapabilityRow[]): BenchmarkRows[] {
  const benchmarks = [...new Set(capabilities.map(({ result }) => result.benchmark))];
  return benchmarks.map((benchmark) => {
    const results = capabilities.filter(({ result }) => result.benchmark === benchmark);
    const base = results.find(({ result }) => result.isBase)?.result ?? null;
    return {
      benchmark,
      title: benchmarkTitle(benchmark),
      rows: results.flatMap(({ id, result }) =>
        result.scores.map((score, index): ScoreRow => ({
          key: `${id}/${score.metric}`,
          model: result.model,
          isBase: result.isBase,
          step: result.step,
          metric: score.metric,
          score,
          correct: correctOf(score),
          change: changeOf(score, result, base),
          result,
          isFirst: index === 0,
        })),
      ),
    };
  });
}

function correctOf({ value, n, isMacro }: CapabilityScore): number | null {
  return n === null || isMacro ? null : Math.round(value * n);
}

function changeOf(
  score: CapabilityScore,
  result: CapabilityResult,
  base: CapabilityResult | null,
): ScoreRow['change'] {
  if (result.isBase) return { kind: 'none', reason: 'base' };
  const before = base?.scores.find(({ metric }) => metric === score.metric);
  if (!before) return { kind: 'none', reason: 'no base' };
  if (score.isMacro) return { kind: 'none', reason: 'mean over subjects: no interval' };
  const k = correctOf(score);
  const baseK = correctOf(before);
  if (k === null || score.n === null || baseK === null || before.n === null)
    return { kind: 'none', reason: 'n not stated, not compared' };
  return capabilityChange({ k, n: score.n }, { k: baseK, n: before.n });
}

/** The base's score of the same metric, for a difference without an interval. */
export function baseValue(rows: readonly ScoreRow[], metric: string): number | null {
  return rows.find((row) => row.isBase && row.metric === metric)?.score.value ?? null;
}
