import {
  formatDecimals,
  formatNumber,
  formatPercent,
  formatRate,
  formatSeconds,
  MISSING,
} from '@/contract/format';
import { evaluationMetric, POLICY_TITLES, type EvaluationResult } from '@/contract/evaluation';
import type { ContinuationTable } from '@/contract/continuation-table';
import { judgeWords, type JudgeTable } from '@/contract/judge-table';
import { fromWireNumber, type RecipeEvent } from '@/contract/run-events';
import { wilson } from '@/stats/wilson';

/** Turns a run's events into lines for a terminal: one a step, one an evaluation, and what the run logs. */
export class TrainReport {
  private metrics = new Map<string, number>();
  /** Seconds of `time/rollout` and `time/train` so far: the time that counts as training. */
  private trainedS = 0;

  /** The line an event gives, or null. */
  lineOf(event: RecipeEvent): string | null {
    switch (event.kind) {
      case 'points:measured':
        for (const { name, value } of event.points) this.measure(name, fromWireNumber(value));
        return null;
      case 'step:finished':
        return this.stepLine(event.step, event.steps);
      case 'evaluation:finished':
        return this.evaluationLine(event.evaluation);
      case 'log:written':
        return `${event.level.padEnd(5)} ${event.message}`;
      case 'judge:tabulated':
        return judgeLine(event.table);
      case 'teacher:continued':
        return continuationLine(event.table);
      case 'rule:fired':
        return `${event.action === 'stop' ? 'stopped' : 'paused'} by a rule: ${event.reason}`;
      case 'pause:began':
        return `paused: ${event.reason}`;
      case 'pause:ended':
        return 'goes on';
      case 'checkpoint:written':
      case 'progress:advanced':
      case 'trajectory:finished':
      case 'actions:scored':
      case 'play:advanced':
        return null;
    }
  }

  private measure(name: string, value: number): void {
    this.metrics.set(name, value);
    if (name === 'time/rollout' || name === 'time/train') this.trainedS += value;
  }

  private stepLine(step: number, steps: number): string {
    const number = (name: string): string => formatNumber(this.metrics.get(name));
    const percent = (name: string): string => formatPercent(this.metrics.get(name));
    const line = [
      `step ${String(step).padStart(String(steps).length)}/${steps}`,
      `reward ${number('reward/mean')}`,
      `success ${percent('rollout/success_rate')} %`,
      `invalid ${percent('rollout/invalid_action_rate')} %`,
      `entropy ${number('actor/entropy')}`,
      `kl ${number('actor/ppo_kl')}`,
      `grad ${number('actor/grad_norm')}`,
      `rollout ${number('time/rollout')} s`,
      `train ${number('time/train')} s`,
      `trained ${formatSeconds(this.trainedS)}`,
    ].join('  ');
    this.metrics.clear();
    return line;
  }

  private evaluationLine(evaluation: EvaluationResult): string {
    const { successes, n } = evaluation;
    return [
      `evaluation of step ${evaluation.step}`,
      evaluation.policy === 'checkpoint' ? evaluation.decoding : POLICY_TITLES[evaluation.policy],
      evaluation.split,
      `success ${formatRate(successes, n, wilson(successes, n))}`,
      `invalid ${formatPercent(evaluationMetric(evaluation, 'invalid_action_rate'))} %`,
      `turns ${n === 0 ? MISSING : formatNumber(evaluationMetric(evaluation, 'turns_mean'))}`,
      `trained ${formatSeconds(this.trainedS)}`,
    ].join('  ');
  }
}

function continuationLine({ step, teacher, rows }: ContinuationTable): string {
  const overAll = rows.filter(({ fromTokens, toTokens }) => fromTokens === 0 && toTokens === null);
  return [
    `step ${step}: ${teacher} goes on`,
    ...overAll.map(({ depth, n, wellFormed }) => `from ${formatPercent(depth)} %: format ${wellFormed}/${n}`),
  ].join('  ');
}

function judgeLine({ judge, fromStep, toStep, unscored, rows, lengthCorrelation }: JudgeTable): string {
  const [all] = rows;
  return [
    `judged by ${judgeWords(judge)}, steps ${fromStep} to ${toStep}`,
    `n ${all?.n ?? 0}  unscored ${unscored}`,
    `failed ${formatPercent(all?.failRate)} %`,
    `judge >= 0 of failed ${formatPercent(all?.soundGivenFailed)} %`,
    `Spearman of length ${formatDecimals(lengthCorrelation, 2)}`,
  ].join('  ');
}
