import { describe, expect, it } from 'vitest';
import type { DetectorId } from '@/contract/alert';
import type { JudgeTable } from '@/contract/judge-table';
import { bySteps, factsOf, findingsBy, ramp, repeat, type Curves } from './testing/specimens';

/** First steps of what a detector finds in these curves. */
function firedAt(detector: DetectorId, curves: Curves): number[] {
  return findingsBy(detector, factsOf({ curves })).map(({ step }) => step);
}

describe('format collapse', () => {
  it('fires on a run whose malformed replies rise to .98, at the third step above twice the baseline', () => {
    const rates = [...repeat(0.04, 20), 0.1, 0.2, 0.3, 0.6, 0.9, 0.98];
    const curves = { ExecutorNativeFormatViolations: bySteps(rates) };
    // Smoothed from step 21: .058, .101, .160; twice the baseline is .08, passed at 22, 23 and 24.
    expect(firedAt('format_collapse', curves)).toEqual([24]);
    const healed = {
      ExecutorNativeFormatViolations: bySteps([...repeat(0.04, 20), 0.1, 0.2, 0.04, 0.04, 0.04]),
    };
    expect(firedAt('format_collapse', healed)).toEqual([]);
  });

  it('reads the share that keeps the format as its opposite, and stays silent while a policy learns the format', () => {
    const kept = { 'rollout/format_rate': bySteps([...repeat(0.98, 8), ...repeat(0.2, 4)]) };
    expect(firedAt('format_collapse', kept)).toEqual([10]);
    expect(firedAt('format_collapse', { 'episode/valid_action_ratio': bySteps(ramp(0.4, 1, 30)) })).toEqual(
      [],
    );
  });
});

describe('log-probability collapse', () => {
  const steady = Array.from({ length: 59 }, (_, index) => -0.3 - 0.01 * (index % 3));

  it('fires at update 60, where the mean drops, and names the metrics that spiked with it', () => {
    const curves = {
      'actor/sampler_logprob': bySteps([...steady, -0.9, -0.92]),
      'actor/grad_norm': bySteps([...steady.map((value) => -value), 9, 9]),
      'actor/ppo_kl': bySteps(repeat(0.01, 61)),
    };
    const [found, ...others] = findingsBy('logprob_collapse', factsOf({ curves }));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ step: 60, lastStep: 61, severity: 'warning', isOver: false });
    expect(found?.evidence).toEqual([
      { kind: 'series', name: 'actor/sampler_logprob', step: 60 },
      { kind: 'series', name: 'actor/grad_norm', step: 60 },
    ]);
    expect(
      firedAt('logprob_collapse', { 'actor/sampler_logprob': bySteps([...steady, -0.33, -0.34]) }),
    ).toEqual([]);
  });
});

describe('entropy', () => {
  it('that triples, as from .137 to .449, is a warning from the step at which its line passes twice the baseline', () => {
    const [found] = findingsBy(
      'entropy_change',
      factsOf({ curves: { actor_entropy: bySteps(ramp(0.137, 0.449, 100)) } }),
    );
    expect(found).toMatchObject({ severity: 'warning', isOver: false });
    // The baseline is the third value, .1433; the line's end is the value itself: .137 + .003152 (step - 1) > .2866.
    expect(found?.step).toBe(49);
    expect(firedAt('entropy_change', { actor_entropy: bySteps(ramp(0.137, 0.2, 100)) })).toEqual([]);
  });

  it('that falls to .58 of its start is a notice, to under a tenth a warning', () => {
    const fall = findingsBy(
      'entropy_change',
      factsOf({ curves: { 'actor/entropy_loss': bySteps(ramp(0.031, 0.018, 100)) } }),
    );
    expect(fall.map(({ severity }) => severity)).toEqual(['notice']);
    const gone = findingsBy(
      'entropy_change',
      factsOf({ curves: { 'actor/entropy': bySteps(ramp(0.5, 0.001, 60)) } }),
    );
    expect(gone.map(({ severity }) => severity)).toEqual(['warning']);
    expect(firedAt('entropy_change', { 'actor/entropy': bySteps(ramp(0.5, 0.4, 60)) })).toEqual([]);
  });
});

describe('reply length', () => {
  it('fires where 2,000 tokens become 190, once, and stays fired at 50', () => {
    const collapsing = { 'response_length/mean': { 0: 2000, 10: 1980, 20: 2040, 40: 1400, 60: 190, 80: 50 } };
    const [found, ...others] = findingsBy('length_change', factsOf({ curves: collapsing }));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ step: 60, lastStep: 80, isOver: false });
    expect(found?.message).toContain('replies of 190 tokens, 0.10 times the 2000');
    const healed = { 'response_length/mean': { 0: 2000, 10: 1980, 20: 2040, 40: 1400, 60: 600, 80: 700 } };
    expect(firedAt('length_change', healed)).toEqual([]);
  });

  it('fires on replies five times as long, and on more than a fifth cut at the limit', () => {
    expect(firedAt('length_change', { 'rollout/reply_tokens_mean': { 0: 30, 30: 60, 40: 150 } })).toEqual([
      40,
    ]);
    const clipped = bySteps([0.15, 0.2, 0.21]);
    expect(firedAt('length_change', { 'response_length/clip_ratio': clipped })).toEqual([3]);
  });

  it('fires on a judge whose scores go with length, Spearman -.31, and not at -.05', () => {
    const table: JudgeTable = {
      judge: { kind: 'llm', name: 'glm-5.1' },
      fromStep: 1,
      toStep: 200,
      unscored: 0,
      rows: [
        {
          taskType: null,
          n: 50_785,
          failed: 22_729,
          failRate: 0.45,
          soundGivenFailed: null,
          goodGivenFailed: null,
          soundAndFailed: null,
        },
      ],
      lengthCorrelation: -0.31,
      quintiles: [],
    };
    const [found] = findingsBy('length_change', factsOf({ events: [{ kind: 'judge:tabulated', table }] }));
    expect(found).toMatchObject({ subject: 'judge', step: 200 });
    expect(found?.message).toBe(
      'LLM glm-5.1 scores short replies higher: Spearman −0.31 of length and score, n = 50,785 turns of steps 1 to 200',
    );
    const healed = { ...table, lengthCorrelation: -0.05 };
    expect(
      findingsBy('length_change', factsOf({ events: [{ kind: 'judge:tabulated', table: healed }] })),
    ).toEqual([]);
  });
});

describe('a constant metric', () => {
  it('is val-core pass@1 = 1.0, written in by hand: found at its third point', () => {
    const [found] = findingsBy(
      'constant_metric',
      factsOf({ curves: { 'val-core/alfworld/pass@1': { 0: 1, 10: 1, 20: 1, 30: 1 } } }),
    );
    expect(found).toMatchObject({ subject: 'val-core/alfworld/pass@1', step: 20, lastStep: 30 });
    expect(found?.message).toContain('= 1 at all 4 points, steps 0 to 30');
    expect(firedAt('constant_metric', { 'val-core/alfworld/pass@1': { 0: 1, 10: 1, 20: 0.99 } })).toEqual([]);
    expect(firedAt('constant_metric', { 'batch/is_correct': bySteps(repeat(1, 4)) })).toEqual([3]);
  });

  it('at 0 is one only where another measure says that tasks are won', () => {
    const zero = bySteps(repeat(0, 8));
    expect(
      firedAt('constant_metric', { 'val/success_rate': zero, 'critic/score/mean': bySteps(repeat(0.6, 8)) }),
    ).toEqual([5]);
    expect(
      firedAt('constant_metric', { 'val/success_rate': zero, 'critic/score/mean': bySteps(repeat(0.02, 8)) }),
    ).toEqual([]);
  });

  it('is not the learning rate, a limit or a size', () => {
    const curves = {
      'actor/lr': bySteps(repeat(5e-6, 9)),
      'group_size/min': bySteps(repeat(8, 9)),
      'prompt_length/max': bySteps(repeat(176, 9)),
    };
    expect(firedAt('constant_metric', curves)).toEqual([]);
  });
});

describe('cumulative success', () => {
  const perStep = [2, 0, 1, 3, 0, 2, 1, 2, 0, 3, 2, 1];

  it('is a metric that never falls: found at its tenth point; the same run step by step is silent', () => {
    let won = 0;
    const everWon = perStep.map((count) => (won += count) / 20);
    expect(firedAt('cumulative_success', { 'eval/success_rate': bySteps(everWon) })).toEqual([10]);
    expect(
      firedAt('cumulative_success', { 'eval/success_rate': bySteps(perStep.map((count) => count / 4)) }),
    ).toEqual([]);
  });

  it('is not the published curve of StraTA, which falls now and then', () => {
    const published = [
      0.71, 0.71, 3.57, 1.43, 14.29, 18.57, 6.43, 22.86, 37.14, 42.14, 43.57, 50.71, 69.29, 85, 83.57, 86.43,
    ];
    const curve = Object.fromEntries(published.map((percent, index) => [index * 10, percent / 100]));
    expect(firedAt('cumulative_success', { 'val/success_rate': curve })).toEqual([]);
  });
});

describe('training against evaluation', () => {
  const steps = [0, 20, 40, 60, 80];
  const at = (values: readonly number[]) =>
    Object.fromEntries(values.map((value, index) => [steps[index], value]));

  it('fires where the reverse KL improves and success falls: the paradox of distillation', () => {
    const curves = {
      'opd/reverse_kl': at([0.9, 0.6, 0.4, 0.3, 0.2]),
      'eval/success_rate': at([0.52, 0.5, 0.44, 0.36, 0.28]),
    };
    const [found] = findingsBy('opposite_trends', factsOf({ curves }));
    expect(found).toMatchObject({ step: 60, severity: 'warning' });
    expect(found?.message).toContain(
      'opd/reverse_kl went from 0.9 to 0.3 while success on eval/success_rate fell from 52.0 to 36.0 %',
    );
    const healed = { ...curves, 'eval/success_rate': at([0.52, 0.5, 0.54, 0.56, 0.58]) };
    expect(firedAt('opposite_trends', healed)).toEqual([]);
  });

  it('takes counts from evaluations where there are any', () => {
    const evaluations = steps.map((step, index) => ({ step, successes: 80 - 10 * index }));
    const facts = factsOf({ curves: { 'reward/mean': at([0.1, 0.2, 0.3, 0.4, 0.5]) }, evaluations });
    expect(findingsBy('opposite_trends', facts)[0]?.evidence).toEqual([
      { kind: 'series', name: 'reward/mean', step: 60 },
      { kind: 'evaluation', split: 'valid_seen', step: 60 },
    ]);
  });
});

describe('seen against unseen', () => {
  const published = [
    { step: 0, seen: 74, unseen: 71 },
    { step: 40, seen: 80, unseen: 70 },
    { step: 80, seen: 77, unseen: 79 },
  ];
  const evaluationsOf = (rows: typeof published) =>
    rows.flatMap(({ step, seen, unseen }) => [
      { step, split: 'valid_seen' as const, n: 140, successes: seen },
      { step, split: 'valid_unseen' as const, n: 134, successes: unseen },
    ]);

  it('disagree about the published checkpoints of agentic-rl-lab from step 40 on, neither difference distinguishable', () => {
    const [found, ...others] = findingsBy(
      'split_disagreement',
      factsOf({ evaluations: evaluationsOf(published) }),
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({ step: 40, lastStep: 80, isOver: false });
    expect(found?.message).toBe(
      'valid_seen is highest at step 40 (80/140, 57.1 %; step 80: 77/140, 55.0 %, not distinguishable, unpaired), ' +
        'valid_unseen at step 80 (79/134, 59.0 %; step 40: 70/134, 52.2 %, not distinguishable, unpaired)',
    );
  });

  it('agree where both are highest at the same step, though one of them is tied with an earlier one', () => {
    const agreeing = published
      .with(1, { step: 40, seen: 75, unseen: 71 })
      .with(2, { step: 80, seen: 80, unseen: 79 });
    const steps = findingsBy(
      'split_disagreement',
      factsOf({ evaluations: evaluationsOf(agreeing.slice(1)) }),
    );
    expect(steps).toEqual([]);
  });
});
