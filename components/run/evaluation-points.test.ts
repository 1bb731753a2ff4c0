import { describe, expect, it } from 'vitest';
import { anEvaluation, anEvaluationRow } from './fixtures';
import {
  controlEvaluations,
  evaluatedSplits,
  evaluatedSteps,
  evaluationPoints,
  maskedBaseFor,
  taskTypeRows,
} from './evaluation-points';

describe('evaluations as points', () => {
  it('gives rate and Wilson bounds of current checkpoint evaluations, by step', () => {
    const rows = [
      anEvaluationRow({ step: 20, successes: 80, n: 140 }),
      anEvaluationRow({ step: 0, successes: 0, n: 10 }),
      anEvaluationRow({ step: 10, successes: 1 }, false),
      anEvaluationRow({ step: 30, decoding: 'greedy' }),
      anEvaluationRow({ step: 30, split: 'valid_unseen' }),
      anEvaluationRow({ step: 0, policy: 'masked_base' }),
    ];
    const points = evaluationPoints(rows, 'valid_seen', 'sampled');
    expect(points.map((point) => point.step)).toEqual([0, 20]);
    expect(points[1]?.rate).toBeCloseTo(80 / 140, 12);
    // 80/140 at 95 %: [48.9, 65.0] %.
    expect(points[1]?.low).toBeCloseTo(0.489, 3);
    expect(points[1]?.high).toBeCloseTo(0.65, 3);
    expect(points[0]?.low).toBe(0);
    expect(evaluatedSteps(rows)).toEqual([0, 20, 30]);
    expect(evaluatedSplits(rows)).toEqual(['valid_seen', 'valid_unseen']);
  });

  it('reads a checkpoint against the masked base of the same split and decoding only', () => {
    const rows = [
      anEvaluationRow({ policy: 'masked_base', decoding: 'greedy', successes: 60 }),
      anEvaluationRow({ policy: 'masked_base', split: 'valid_unseen', successes: 70 }),
    ];
    expect(maskedBaseFor(rows, anEvaluation({ decoding: 'sampled' }))).toBeNull();
    expect(maskedBaseFor(rows, anEvaluation({ decoding: 'greedy' }))?.successes).toBe(60);
  });

  it('lists controls in the order asked for', () => {
    const rows = [
      anEvaluationRow({ policy: 'masked_base', decoding: 'greedy' }),
      anEvaluationRow({ policy: 'masked_base' }),
      anEvaluationRow({ policy: 'random_offered_action' }),
    ];
    const listed = controlEvaluations(rows, 'valid_seen', ['random_offered_action', 'masked_base']);
    expect(listed.map((each) => `${each.policy} ${each.decoding}`)).toEqual([
      'random_offered_action sampled',
      'masked_base sampled',
      'masked_base greedy',
    ]);
  });

  it('lays task types of two evaluations side by side, with holes where one lacks a type', () => {
    const first = anEvaluation({
      byTaskType: [{ taskType: 'Open', n: 4, successes: 1, invalidActions: 0, turns: 9 }],
    });
    expect(
      taskTypeRows(first, anEvaluation()).map((row) => [row.taskType, row.first?.n, row.latest?.n]),
    ).toEqual([
      ['GoToLocalS8N7', undefined, 60],
      ['Open', 4, 40],
    ]);
  });
});
