'use client';
import { useMemo, type ReactNode } from 'react';
import type { EvaluationRow, SeriesCurve } from '@/contract/api';
import { POLICY_TITLES, type EvaluationResult } from '@/contract/evaluation';
import { SPLITS, type Split } from '@/contract/trajectory';
import { formatPercent } from '@/contract/format';
import { LineChart } from '@/components/charts/line-chart';
import type { ChartContent, ChartLine, Reference, Whisker } from '@/components/charts/chart-model';
import { toLine } from '@/components/charts/curve';
import { smooth } from '@/components/charts/smooth';
import { Panel } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import type { ChartFrame } from './chart-frame';
import {
  controlEvaluations,
  DECODINGS,
  evaluatedSplits,
  evaluationPoints,
  type Decoding,
  type EvaluationPoint,
} from './evaluation-points';

const SPLIT_COLORS: Record<Split, string> = { valid_seen: 'c1', valid_unseen: 'c2', train: 'c7' };
const GREEDY_DASH = [4, 2];
/** The split whose controls are drawn: the one that all in-training evaluations share. */
const CONTROL_SPLIT = 'valid_seen';

interface SuccessLine {
  split: Split;
  decoding: Decoding;
  points: EvaluationPoint[];
}

/** Success by split: evaluations with Wilson whiskers, training success behind them, controls across. */
export function SuccessChart({
  evaluations,
  training,
  frame,
  children,
}: {
  evaluations: readonly EvaluationRow[];
  training: SeriesCurve | undefined;
  frame: ChartFrame;
  /** The point menu, placed over the plot. */
  children?: ReactNode;
}) {
  const lines = useMemo(() => successLines(evaluations), [evaluations]);
  const controls = useMemo(
    () =>
      controlEvaluations(evaluations, CONTROL_SPLIT, [
        'random_offered_action',
        'masked_base',
        'look_around_script',
        'full_knowledge_planner',
      ]),
    [evaluations],
  );
  const content = useMemo(
    () => successContent(lines, controls, training, frame),
    [lines, controls, training, frame],
  );
  const splits = evaluatedSplits(evaluations);
  return (
    <Panel className="relative col-span-2 row-span-2 flex min-h-80 flex-col" aria-label="Success by split">
      <div className="flex flex-wrap items-baseline gap-x-2 px-2.5 pt-1.5">
        <h3>Success by split</h3>
        <span className="text-xs text-ink-3">
          %, 95% Wilson whiskers; dashed greedy; grey line training
          {controls.length > 0 && `; controls across are those of ${CONTROL_SPLIT}`}
        </span>
        <span className="ml-auto text-xs text-ink-3">
          {SPLITS.filter((split) => split !== 'train' && !splits.includes(split))
            .map((split) => `${split}: not evaluated`)
            .join(', ')}
        </span>
      </div>
      <Legend lines={lines} />
      <LineChart
        content={content}
        title="Success by split, %"
        label={describe(lines, controls)}
        formatY={(value) => `${Math.round(value * 100)}`}
        yRange={[0, 1]}
        onPin={(step) => frame.onPin(step, 'success')}
      />
      {children}
    </Panel>
  );
}

function Legend({ lines }: { lines: readonly SuccessLine[] }) {
  const newestStep = Math.max(...lines.map(({ points }) => points.at(-1)?.step ?? 0));
  return (
    <ul className="flex flex-wrap gap-x-4 px-2.5 text-sm">
      {lines.map(({ split, decoding, points }) => {
        const newest = points.at(-1);
        return (
          <li key={`${split}/${decoding}`} className="flex items-center gap-1.5">
            <svg width="18" height="6" aria-hidden>
              <path
                d="M0 3h18"
                stroke={`var(--${SPLIT_COLORS[split]})`}
                strokeWidth={2}
                strokeDasharray={decoding === 'greedy' ? GREEDY_DASH.join(' ') : undefined}
              />
            </svg>
            <span className="text-ink-2">
              {split} {decoding}
            </span>
            <Rate successes={newest?.successes} n={newest?.n} />
            <span className="text-xs text-ink-3">
              {newest && newest.step < newestStep
                ? `not evaluated since step ${newest.step}`
                : `step ${newest?.step}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function successLines(evaluations: readonly EvaluationRow[]): SuccessLine[] {
  return evaluatedSplits(evaluations)
    .flatMap((split) =>
      DECODINGS.map((decoding) => ({
        split,
        decoding,
        points: evaluationPoints(evaluations, split, decoding),
      })),
    )
    .filter((line) => line.points.length > 0);
}

function successContent(
  lines: readonly SuccessLine[],
  controls: readonly EvaluationResult[],
  training: SeriesCurve | undefined,
  frame: ChartFrame,
): ChartContent {
  const raw = toLine(training?.buckets ?? []);
  const trainingLine: ChartLine = {
    id: 'training',
    steps: raw.steps,
    values: smooth(raw.values, frame.smoothing),
    color: 'ink-3',
    width: 1.2,
    alpha: 0.7,
  };
  const evaluationLines = lines.map(({ split, decoding, points }): ChartLine => ({
    id: `${split}/${decoding}`,
    steps: points.map((point) => point.step),
    values: points.map((point) => point.rate),
    color: SPLIT_COLORS[split],
    width: 1.6,
    dots: true,
    ...(decoding === 'greedy' ? { dash: GREEDY_DASH } : {}),
  }));
  return {
    lines: [trainingLine, ...evaluationLines],
    whiskers: lines.flatMap(({ split, points }) =>
      points.map(({ step, low, high }): Whisker => ({ step, low, high, color: SPLIT_COLORS[split] })),
    ),
    references: uniqueControls(controls).map(toReference),
    resumes: frame.resumes,
    reachedStep: frame.reachedStep,
    lastStep: frame.lastStep,
    pinnedStep: frame.pinnedStep,
  };
}

/** One line for each control: its sampled evaluation where it has both. */
function uniqueControls(controls: readonly EvaluationResult[]): EvaluationResult[] {
  return controls.filter(
    (control, index) => controls.findIndex((other) => other.policy === control.policy) === index,
  );
}

const SHORT_TITLES: Partial<Record<EvaluationResult['policy'], string>> = {
  random_offered_action: 'random offered action',
  look_around_script: 'look-around script',
  masked_base: 'masked base',
  full_knowledge_planner: 'planner, not reachable from the view',
};

function toReference(control: EvaluationResult): Reference {
  const rate = control.successes / control.n;
  return {
    value: rate,
    label: `${SHORT_TITLES[control.policy] ?? POLICY_TITLES[control.policy]} ${formatPercent(rate)}`,
  };
}

function describe(lines: readonly SuccessLine[], controls: readonly EvaluationResult[]): string {
  const newest = lines.flatMap(({ split, decoding, points }) => {
    const point = points.at(-1);
    return point ? [`${split} ${decoding} ${formatPercent(point.rate)} % at step ${point.step}`] : [];
  });
  const reference = uniqueControls(controls).map((control) => toReference(control).label);
  return `Success by step. ${[...newest, ...reference].join('; ') || 'Not evaluated yet.'}`;
}
