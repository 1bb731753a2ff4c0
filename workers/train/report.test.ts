import { describe, expect, it } from 'vitest';
import type { EvaluationResult } from '@/contract/evaluation';
import { TrainReport } from './report';

const evaluation: EvaluationResult = {
  checkpoint: null,
  step: 10,
  policy: 'checkpoint',
  split: 'valid_seen',
  splitHash: 'h',
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
  n: 140,
  successes: 104,
  invalidActions: 150,
  turns: 600,
  rewardMean: 0.7,
  byTaskType: [],
  errors: 0,
  truncated: 0,
  seconds: 3,
};

describe('TrainReport', () => {
  it('prints an evaluation with its Wilson interval', () => {
    const line = new TrainReport().lineOf({ kind: 'evaluation:finished', evaluation });
    expect(line).toContain('evaluation of step 10  sampled  valid_seen');
    expect(line).toContain('success 104/140 74.3 [66.5, 80.8]  invalid 25.0 %  turns 4.286');
  });

  it('names the policy of a control', () => {
    const line = new TrainReport().lineOf({
      kind: 'evaluation:finished',
      evaluation: { ...evaluation, policy: 'masked_base' },
    });
    expect(line).toContain('Base, actions masked to the offered ones');
  });

  it('sums rollout and training time over steps, and shows what a step did not measure as n/a', () => {
    const report = new TrainReport();
    const points = [
      { name: 'time/rollout', value: 40 },
      { name: 'time/train', value: 30 },
      { name: 'reward/mean', value: 0.5 },
    ];
    report.lineOf({ kind: 'points:measured', step: 1, points });
    expect(report.lineOf({ kind: 'step:finished', step: 1, steps: 20 })).toContain('step  1/20  reward 0.5');
    report.lineOf({ kind: 'points:measured', step: 2, points: points.slice(0, 2) });
    const second = report.lineOf({ kind: 'step:finished', step: 2, steps: 20 });
    expect(second).toContain('reward n/a');
    expect(second).toContain('trained 2 m 20 s');
  });
});
