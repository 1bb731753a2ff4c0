import { EVALUATION_METRICS, evaluationMetric, evaluationSeries } from '@/contract/evaluation';
import type { EvaluationResult } from '@/contract/evaluation';
import { toWireNumber, type RunEvent } from '@/contract/run-events';
import type { Split } from '@/contract/trajectory';

/** Invented curves that have the look of training, the same at every call. No run has made them. */

export const SEED_TASK_TYPES = ['GoToLocalS8N7', 'PickupLoc', 'OpenDoorLoc'] as const;

/** Noise in -1..1 that depends on its arguments alone. */
export function noise(run: number, step: number, series = 0): number {
  const wave = Math.sin(run * 78.233 + step * 12.9898 + series * 37.719) * 43_758.5453;
  return 2 * (wave - Math.floor(wave)) - 1;
}

/** Invented success rate after `step` steps: from 0.5 towards 0.85. */
export function successRate(run: number, step: number): number {
  return 0.85 - 0.35 * Math.exp(-step / 30) + 0.02 * noise(run, step);
}

function invalidRate(run: number, step: number): number {
  return 0.06 + 0.5 * Math.exp(-step / 20) + 0.02 * noise(run, step, 1);
}

/** The points of a step. */
export function stepPoints(run: number, step: number): RunEvent {
  const success = successRate(run, step);
  const invalid = invalidRate(run, step);
  const values: Record<string, number> = {
    'reward/mean': success - 0.5 * invalid,
    'reward/environment_mean': success - 0.05,
    'rollout/success_rate': success,
    'rollout/invalid_action_rate': invalid,
    'rollout/invalid_actions_mean': 6 * invalid,
    'rollout/format_rate': 0.999,
    'rollout/admissible_rate': 1 - 0.9 * invalid,
    'rollout/turns_mean': 5 + 2 * invalid,
    'actor/entropy': 0.3 + 0.5 * Math.exp(-step / 40) + 0.02 * noise(run, step, 2),
    'actor/ppo_kl': 0.004 + 0.001 * noise(run, step, 3),
    'actor/clip_fraction': 0.05 + 0.01 * noise(run, step, 4),
    'actor/grad_norm': 0.8 + 0.2 * noise(run, step, 5),
    'actor/updates': 2 * step,
    'advantage/degenerate_group_rate': 0.2 + 0.3 * (1 - Math.exp(-step / 60)),
    'time/rollout': 1.4 + 0.2 * noise(run, step, 6),
    'time/train': 0.9 + 0.1 * noise(run, step, 7),
  };
  const points = Object.entries(values).map(([name, value]) => ({ name, value: toWireNumber(value) }));
  return { kind: 'points:measured', step, points };
}

/** An evaluation of the checkpoint of a step, with the points its success is drawn by. */
export function evaluationEvents(
  run: number,
  step: number,
  split: Split,
  decoding: EvaluationResult['decoding'],
): RunEvent[] {
  const tasks = split === 'valid_seen' ? 70 : 20;
  const shift = (split === 'valid_unseen' ? -0.15 : 0) + (decoding === 'greedy' ? 0.03 : 0);
  const byTaskType = SEED_TASK_TYPES.map((taskType, index) => {
    const rate = Math.min(1, successRate(run, step) + shift - 0.1 * (index - 1));
    const turns = tasks * 6;
    const invalidActions = Math.round(turns * Math.max(0, invalidRate(run, step)));
    return { taskType, n: tasks, successes: Math.round(tasks * rate), invalidActions, turns };
  });
  const sum = (count: (row: (typeof byTaskType)[number]) => number) =>
    byTaskType.reduce((total, row) => total + count(row), 0);
  const n = sum((row) => row.n);
  const successes = sum((row) => row.successes);
  const evaluation: EvaluationResult = {
    checkpoint: null,
    step,
    policy: 'checkpoint',
    split,
    splitHash: 'seed-data',
    environment: 'babyai',
    environmentVersion: 'seed data',
    environmentOptions: { maxTurns: 10 },
    scaffold: 'recent-actions',
    decoding,
    temperature: decoding === 'greedy' ? 0 : 1,
    topK: 0,
    topP: 1,
    maxTurns: 10,
    maxReplyTokens: 16,
    maxPromptTokens: 1024,
    seed: run,
    n,
    successes,
    invalidActions: sum((row) => row.invalidActions),
    turns: sum((row) => row.turns),
    rewardMean: successes / n,
    byTaskType,
    errors: 0,
    truncated: 0,
    seconds: 4,
  };
  const points = EVALUATION_METRICS.map((metric) => ({
    name: evaluationSeries(evaluation, metric),
    value: toWireNumber(evaluationMetric(evaluation, metric)),
  }));
  return [
    { kind: 'evaluation:finished', evaluation },
    { kind: 'points:measured', step, points },
  ];
}
