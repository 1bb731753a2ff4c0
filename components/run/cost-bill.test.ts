import { describe, expect, it } from 'vitest';
import type { SeriesSum } from '@/contract/api';
import type { TokenPrices } from '@/contract/cost';
import { costBill } from './cost-bill';
import { anEvaluation } from './fixtures';

const sum = (name: string, tokens: number, overwritten = 0): SeriesSum => ({
  name,
  sum: tokens,
  overwritten,
  count: 3,
  lastStep: 3,
  position: 9,
});
const none = (name: string): SeriesSum => ({ ...sum(name, 0), count: 0, lastStep: null });
const training = [
  sum('tokens/prefilled', 3_000_000),
  sum('tokens/reused', 9_000_000),
  sum('tokens/sampled', 400_000),
  sum('tokens/trained', 2_000_000, 500_000),
];
const evaluated = { step: 3, evaluations: { 'checkpoint/valid_seen/greedy': anEvaluation() } };
const prices: TokenPrices = {
  currency: 'CNY',
  prefillPerMillion: 2,
  samplePerMillion: 5,
  trainPerMillion: 3,
};

describe('the bill of a run', () => {
  it('has each kind of tokens with its price and cost, by phase and in all', () => {
    const bill = costBill(
      [
        ...training,
        sum('tokens/evaluation/prefilled', 1_000_000),
        sum('tokens/evaluation/reused', 0),
        sum('tokens/evaluation/sampled', 200_000),
        sum('tokens/probe/prefilled', 500_000),
        sum('tokens/probe/reused', 500_000),
        sum('tokens/probe/sampled', 100_000),
      ],
      evaluated,
      prices,
    );
    expect(bill.rows.map(({ kind, total, price, cost }) => [kind, total, price, cost])).toEqual([
      ['prefilled', 4_500_000, 2, 9],
      ['reused', 9_500_000, 0, 0],
      ['sampled', 700_000, 5, 3.5],
      ['trained', 2_000_000, 3, 6],
    ]);
    expect(bill.rows[0]?.byPhase).toEqual({ training: 3_000_000, evaluation: 1_000_000, probe: 500_000 });
    expect(bill.costByPhase).toEqual({ training: 14, evaluation: 3, probe: 1.5 });
    expect(bill).toMatchObject({
      cost: 18.5,
      reuseSaved: 19,
      reusedShare: 9.5 / 14,
      repeatedTokens: 500_000,
    });
    expect(bill).toMatchObject({ reuseUnsaid: [], uncounted: [] });
  });

  it('counts what has not been yet as nothing, and what was not counted as unknown', () => {
    const early = costBill(training, { step: 3, evaluations: {} }, prices);
    expect(early.costByPhase).toEqual({ training: 14, evaluation: 0, probe: 0 });
    expect(early.cost).toBe(14);
    const silent = costBill([...training, none('tokens/evaluation/prefilled')], evaluated, prices);
    expect(silent.costByPhase).toEqual({ training: 14, evaluation: null, probe: null });
    expect(silent).toMatchObject({ cost: null, reuseSaved: null, uncounted: ['evaluation', 'probe'] });
    const before = costBill([], { step: 0, evaluations: {} }, prices);
    expect(before).toMatchObject({ cost: 0, reusedShare: null, uncounted: [] });
  });

  it('names the phases whose engine does not say what it reused, and has a cost all the same', () => {
    const unsaid = training.filter(({ name }) => name !== 'tokens/reused');
    const bill = costBill(unsaid, { step: 3, evaluations: {} }, prices);
    expect(bill).toMatchObject({ reuseUnsaid: ['training'], reusedShare: null, reuseSaved: null, cost: 14 });
  });

  it('has tokens and no cost where the run has no prices', () => {
    const bill = costBill(training, { step: 3, evaluations: {} }, null);
    expect(bill.rows[3]).toMatchObject({ kind: 'trained', total: 2_000_000, price: null, cost: null });
    expect(bill).toMatchObject({ cost: null, costByPhase: { training: null }, reusedShare: 0.75 });
  });
});
