import { describe, expect, it } from 'vitest';
import type { Comparison } from '@/contract/compare';
import { aCheckpoint, aComparison, counted, playedOut } from './compare-fixtures';
import { readCompareState } from './compare-state';
import { compareTable } from './compare-table';
import { againstWords } from './compare-words';
import { seedSpreads, spreadWords } from './seed-spread';
import { taskTypesOf } from './task-types';

const STATE = readCompareState(new URLSearchParams());

function finish<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const tableOf = (comparison: Comparison, search = '') =>
  finish(compareTable(comparison, readCompareState(new URLSearchParams(search))));
const typesOf = (comparison: Comparison) =>
  finish(taskTypesOf(tableOf(comparison), comparison.tasks, 'valid_seen', STATE));

describe('success by task type', () => {
  it('of stored trajectories is paired within the type, with macro apart from micro', () => {
    // Even tasks are Open, odd ones GoTo: 40 and 40.
    const before = Array.from({ length: 80 }, () => false);
    const after = Array.from({ length: 80 }, (_, task) => task % 2 === 0);
    const { rows, macro, adjusted } = typesOf(
      aComparison([aCheckpoint(0, [playedOut(before)]), aCheckpoint(9, [playedOut(after)])]),
    );
    expect(
      rows.map(({ taskType, cells }) => [taskType, cells.map((cell) => cell && `${cell.k}/${cell.n}`)]),
    ).toEqual([
      ['GoTo', ['0/40', '0/40']],
      ['Open', ['0/40', '40/40']],
    ]);
    expect(macro).toEqual([0, 0.5]);
    expect(adjusted).toBe(true);
    expect(rows.map(({ cells }) => cells[1]?.against && againstWords(cells[1].against))).toEqual([
      'not distinguishable',
      'higher',
    ]);
  });

  it('of several seeds counts its tasks apart from their trajectories', () => {
    const won = Array.from({ length: 20 }, () => true);
    const { rows } = typesOf(
      aComparison([aCheckpoint(0, [playedOut(won, { seed: 1 }), playedOut(won, { seed: 2 })])]),
    );
    expect(rows.map(({ cells }) => cells[0])).toMatchObject([
      { k: 20, n: 20, tasks: 10 },
      { k: 20, n: 20, tasks: 10 },
    ]);
  });

  it('of published counts of fewer than 30 tasks is not compared', () => {
    const types = (heat: number) => ({
      byTaskType: [{ taskType: 'heat', n: 23, successes: heat, invalidActions: null, turns: null }],
    });
    const { rows, adjusted } = typesOf(
      aComparison([
        aCheckpoint(0, [counted(71, 134, types(7))]),
        aCheckpoint(80, [counted(79, 134, types(13))]),
      ]),
    );
    const [, later] = rows[0]?.cells ?? [];
    expect(later?.against && againstWords(later.against)).toBe('n = 23, not compared');
    expect(later?.rate?.low).toBeCloseTo(0.3681, 4);
    expect(adjusted).toBe(false);
  });

  it('that only one side states or played is said to be absent on the other, and why', () => {
    const heat = {
      byTaskType: [{ taskType: 'heat', n: 40, successes: 9, invalidActions: null, turns: null }],
    };
    const { absent, rows } = typesOf(
      aComparison([
        aCheckpoint(0, [counted(71, 134)]),
        aCheckpoint(40, [counted(79, 134, { split: 'valid_unseen' })]),
        aCheckpoint(80, [counted(79, 134, heat)]),
        aCheckpoint(90, [playedOut([true, false])]),
      ]),
    );
    expect(absent).toEqual(['not stated', 'not evaluated', 'not played', 'not played']);
    expect(rows.map(({ taskType, cells }) => [taskType, cells.map(Boolean)])).toEqual([
      ['GoTo', [false, false, false, true]],
      ['Open', [false, false, false, true]],
      ['heat', [false, false, true, false]],
    ]);
  });

  it('that a source does not state has no figure', () => {
    const { rows, macro } = typesOf(aComparison([aCheckpoint(0, [counted(71, 134)])]));
    expect({ rows, macro }).toEqual({ rows: [], macro: [null] });
  });
});

describe('the spread over seeds', () => {
  it('of two evaluation seeds has the sample standard deviation and both values: 86.79 ± 1.52', () => {
    const [spread] = seedSpreads(
      tableOf(
        aComparison([aCheckpoint(150, [counted(123, 140, { seed: 1 }), counted(120, 140, { seed: 2 })])]),
      ),
    );
    expect(spread && spreadWords(spread.evaluation)).toBe('86.79 ± 1.52 (87.86, 85.71), N = 2');
    expect(spread && spreadWords(spread.training)).toBe('87.86, N = 1');
  });

  it('of training seeds is of runs that differ by their seed alone, at the same step', () => {
    const run = (runId: string, seed: number, step: number, k: number, configHash = 'same') =>
      aCheckpoint(step, [counted(k, 140)], { runId, runName: runId, seed, configHash });
    const spreads = seedSpreads(
      tableOf(
        aComparison([
          run('a', 1, 9, 123),
          run('b', 2, 9, 120),
          run('c', 3, 9, 121),
          run('d', 4, 8, 1),
          run('e', 5, 9, 1, 'other'),
        ]),
      ),
    );
    expect(spreads.map(({ training }) => spreadWords(training))).toEqual([
      '86.67 ± 1.09, N = 3',
      '86.67 ± 1.09, N = 3',
      '86.67 ± 1.09, N = 3',
      '0.71, N = 1',
      '0.71, N = 1',
    ]);
    expect(spreads.every(({ evaluation }) => evaluation.length === 1)).toBe(true);
  });

  it('of evaluation seeds is of the same tasks alone, by the denominator that the table counts by', () => {
    const comparison = aComparison([
      aCheckpoint(9, [
        counted(50, 100, { seed: 1, errors: 50 }),
        counted(30, 100, { seed: 2, errors: 0 }),
        counted(20, 20, { seed: 3, splitHash: 'other' }),
      ]),
    ]);
    const seedsOf = (query: string) =>
      seedSpreads(tableOf(comparison, query))[0]?.evaluation.map(({ percent }) => percent);
    expect(seedsOf('')).toEqual([50, 30]);
    expect(seedsOf('errors=out')).toEqual([100, 30]);
  });

  it('of training seeds has each seed once, evaluated alike', () => {
    const run = (runId: string, seed: number, k: number, temperature = 1) =>
      aCheckpoint(9, [counted(k, 100, { temperature })], { runId, seed });
    const [spread] = seedSpreads(
      tableOf(aComparison([run('a', 1, 10), run('b', 2, 20), run('c', 2, 90), run('d', 3, 90, 0.5)])),
    );
    expect(spread?.training).toEqual([
      { seed: 1, percent: 10 },
      { seed: 2, percent: 20 },
    ]);
  });
});
