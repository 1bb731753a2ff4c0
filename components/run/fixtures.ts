import type { EvaluationRow, RunDetail, RunRow } from '@/contract/api';
import { evaluationKey, type EvaluationResult } from '@/contract/evaluation';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import type { ListedRun } from '@/contract/run-list';
import { emptyRunView } from '@/contract/run-view';

/** Full valid values for tests, with a fixed time and the given parts in place. */
const STARTED_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

export function aRunRow(parts: Partial<RunRow> = {}): RunRow {
  return {
    id: 'r-0001',
    name: 'a run',
    kind: 'training',
    recipe: 'grpo',
    preset: 'demo',
    seed: 1,
    status: 'running',
    reason: null,
    attempt: 1,
    step: 10,
    steps: 120,
    workerName: null,
    createdAt: STARTED_AT - 1000,
    startedAt: STARTED_AT,
    finishedAt: null,
    rewardMean: 0.5,
    lastEvaluation: null,
    bestEvaluation: null,
    ...parts,
  };
}

export function aListedRun(parts: Partial<ListedRun> = {}): ListedRun {
  return { ...aRunRow(), environment: 'babyai', tokens: {}, prices: null, cursor: '1_1', ...parts };
}

export function aRunDetail(parts: Partial<RunDetail> = {}): RunDetail {
  const run = parts.run ?? aRunRow();
  return {
    run,
    config: GRPO_PRESETS.demo,
    view: { ...emptyRunView(run.id), status: run.status, attempt: 1, position: 10 },
    worker: null,
    leaseMs: 30_000,
    heartbeatMs: 5000,
    ...parts,
  };
}

export function anEvaluation(parts: Partial<EvaluationResult> = {}): EvaluationResult {
  return {
    checkpoint: null,
    step: 10,
    policy: 'checkpoint',
    split: 'valid_seen',
    splitHash: '0f0f0f0f',
    environment: 'babyai',
    environmentVersion: '1',
    environmentOptions: {},
    scaffold: 'recent-actions',
    decoding: 'sampled',
    temperature: 1,
    topK: 0,
    topP: 1,
    maxTurns: 10,
    maxReplyTokens: 16,
    maxPromptTokens: 1024,
    seed: 1,
    n: 100,
    successes: 50,
    invalidActions: 40,
    turns: 400,
    rewardMean: 0.4,
    byTaskType: [
      { taskType: 'GoToLocalS8N7', n: 60, successes: 40, invalidActions: 10, turns: 240 },
      { taskType: 'Open', n: 40, successes: 10, invalidActions: 30, turns: 160 },
    ],
    errors: 0,
    truncated: 0,
    seconds: 3,
    ...parts,
  };
}

export function anEvaluationRow(parts: Partial<EvaluationResult> = {}, current = true): EvaluationRow {
  const evaluation = anEvaluation(parts);
  const { policy, split, decoding, step } = evaluation;
  const key = evaluationKey(evaluation);
  return { id: `${policy}/${split}/${decoding}/${step}/${current}`, attempt: 1, key, current, evaluation };
}
