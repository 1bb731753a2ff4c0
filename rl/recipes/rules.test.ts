import { describe, expect, it } from 'vitest';
import { RunRules } from '@/contract/recipes/run-rules';
import { pointsEvent } from './recipe';
import { RuleWatch, type EarlierPoints } from './rules';

const silent = { formatCollapse: 'off', logprobCollapse: 'off', noLearningSignal: 'off' } as const;

/** The steps at which a run's rules fire, with what they demand. */
function firedAt(
  rules: Partial<RunRules>,
  steps: readonly Record<string, number>[],
  earlier?: EarlierPoints,
): string[] {
  const watch = new RuleWatch(RunRules.parse({ ...silent, ...rules }), earlier);
  return steps.flatMap((metrics, index) => {
    watch.observe(pointsEvent(index + 1, metrics));
    const fired = watch.fired();
    return fired ? [`${index + 1} ${fired.action} ${fired.reason}`] : [];
  });
}

const untaught = { 'advantage/degenerate_group_rate': 1, 'tokens/trained': 40 };
const taught = { ...untaught, 'advantage/degenerate_group_rate': 0.9 };

describe('the rules of a run', () => {
  it('fire at the step at which their detector does, and demand what they are set to', () => {
    const rules = { noLearningSignal: 'pause', noLearningSignalSteps: 2 } as const;
    const reason =
      'no learning signal: for 2 steps in a row no group had rewards that differ, or nothing was trained on';
    expect(firedAt(rules, [taught, untaught, taught, untaught, untaught])).toEqual([`5 pause ${reason}`]);
    expect(firedAt({ ...rules, noLearningSignal: 'stop' }, [untaught, untaught])).toEqual([
      `2 stop ${reason}`,
    ]);
    expect(firedAt({ ...rules, noLearningSignal: 'off' }, [untaught, untaught])).toEqual([]);
  });

  it('are none where the run has none', () => {
    const watch = new RuleWatch(null);
    watch.observe(pointsEvent(1, { 'tokens/trained': 0 }));
    expect(watch.fired()).toBeNull();
  });

  it('count the tokens that are paid for in every phase, and not those that are reused', () => {
    const step = {
      'tokens/prefilled': 10,
      'tokens/reused': 1000,
      'tokens/sampled': 20,
      'tokens/trained': 30,
      'tokens/evaluation/prefilled': 4,
      'tokens/probe/sampled': 6,
    };
    expect(firedAt({ tokenBudget: 140 }, [step, step])).toEqual([
      '2 stop budget spent: 140 tokens of 140 tokens',
    ]);
    expect(firedAt({ tokenBudget: 141 }, [step, step])).toEqual([]);
  });

  it('count the cost and the minutes of rollout, update and evaluation', () => {
    const step = {
      'cost/total': 1,
      'cost/evaluation': 0.5,
      'time/rollout': 40,
      'time/train': 20,
      'time/evaluation': 30,
    };
    expect(firedAt({ costBudget: 3 }, [step, step])).toEqual([
      '2 stop budget spent: a cost of 3.00 of a cost of 3.00',
    ]);
    expect(firedAt({ minuteBudget: 2.5, budgetSpent: 'pause' }, [step, step])).toEqual([
      '2 pause budget spent: 3.0 minutes of 2.5 minutes',
    ]);
  });

  it.each(['judge', 'teacher'])('count a %s’s tokens and what it cost', (who) => {
    const step = {
      'tokens/prefilled': 10,
      [`tokens/${who}/prefilled`]: 20,
      [`tokens/${who}/reused`]: 1000,
      [`tokens/${who}/sampled`]: 5,
      'cost/total': 1,
      [`cost/${who}`]: 2,
    };
    expect(firedAt({ tokenBudget: 70 }, [step, step])).toHaveLength(1);
    expect(firedAt({ tokenBudget: 71 }, [step, step])).toEqual([]);
    expect(firedAt({ costBudget: 6 }, [step, step])).toHaveLength(1);
  });

  it('go on from what the run had measured before its checkpoint', () => {
    const rules = { noLearningSignal: 'pause', noLearningSignalSteps: 3 } as const;
    const earlier = new Map([
      ['advantage/degenerate_group_rate', [1, 1]],
      ['tokens/trained', [40, 40]],
    ]);
    expect(firedAt(rules, [untaught], earlier)).toHaveLength(1);
    expect(firedAt(rules, [untaught])).toEqual([]);
  });

  it('name every one that fires, and stop where one of them does', () => {
    const fired = firedAt({ noLearningSignal: 'pause', noLearningSignalSteps: 1, tokenBudget: 1 }, [
      untaught,
    ]);
    expect(fired).toEqual([
      '1 stop no learning signal: for 1 step no group had rewards that differ, or nothing was trained on; ' +
        'budget spent: 40 tokens of 1 tokens',
    ]);
  });

  it('read a step in which no turn was played as no measurement', () => {
    const kept = Array.from({ length: 5 }, () => ({ 'rollout/format_rate': 1 }));
    const unplayed = Array.from({ length: 5 }, () => ({ 'rollout/format_rate': NaN }));
    expect(firedAt({ formatCollapse: 'pause' }, [...kept, ...unplayed])).toEqual([]);
  });
});
