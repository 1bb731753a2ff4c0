import { describe, expect, it } from 'vitest';
import type { Comparison } from '@/contract/compare';
import { formatTable, type ExportTable } from '@/components/export/table-formats';
import { exportChangedTasks } from './changed-tasks-export';
import { compareFilters, exportMatrix, exportSeeds, exportTaskTypes } from './compare-export';
import { aCheckpoint, aComparison, agenticRlLab, counted, playedOut } from './compare-fixtures';
import { readCompareState } from './compare-state';
import { behavioursOf, compareTable } from './compare-table';
import { seedSpreads } from './seed-spread';
import { taskTypesOf } from './task-types';

const STATE = readCompareState(new URLSearchParams());

function finish<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function matrixOf(comparison: Comparison): ExportTable {
  const table = finish(compareTable(comparison, STATE));
  return exportMatrix(table, finish(behavioursOf(table)), compareFilters(table, STATE));
}

describe('the exported matrix', () => {
  it('reads in LaTeX and Markdown as on screen, with what it was counted by', () => {
    const latex = formatTable(matrixOf(agenticRlLab()), 'latex');
    expect(latex).toContain(
      'Step 80 & 77/140 55.0 [46.7, 63.0] & +2.14 pp [$-$9.4, 13.6] & not distinguishable, unpaired (could see \\textgreater{}= 16.7 pp); Newcombe, Holm p = 1; unpaired & ' +
        '79/134 59.0 [50.5, 66.9] & +5.97 pp [$-$5.8, 17.6] & not distinguishable, unpaired (could see \\textgreater{}= 17.1 pp); Newcombe, Holm p = 1; unpaired \\\\',
    );
    expect(latex).toContain('p\\_values: Holm. errored: count as failures');
    expect(latex).toMatch(/settings: babyai .*turns/);
  });

  it('holds in JSON the exact values, with p before and after Holm, and null for what is not known', () => {
    const { rows } = JSON.parse(formatTable(matrixOf(agenticRlLab()), 'json')) as {
      rows: Record<string, unknown>[];
    };
    const last = rows[2];
    expect(last?.valid_unseen_difference).toBeCloseTo(8 / 134, 12);
    expect(last?.valid_unseen_p_holm).toBe(1);
    expect(last?.valid_unseen_p).toBeCloseTo(0.326, 2);
    expect(last?.valid_unseen_gained).toBeNull();
    expect(last?.valid_unseen_method).toBe('Newcombe, unpaired');
    expect(rows[0]?.valid_seen_verdict).toBeNull();
    expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
  });

  it('has no p of Holm’s for what was too small to be tested', () => {
    const table = matrixOf(
      aComparison([
        aCheckpoint(0, [counted(50, 100), counted(1, 20, { split: 'valid_unseen' })]),
        aCheckpoint(5, [counted(60, 100), counted(9, 20, { split: 'valid_unseen' })]),
        aCheckpoint(9, [counted(90, 100)]),
      ]),
    );
    const values = table.rows[1]?.values ?? {};
    expect(values['valid_unseen_verdict']).toBe('n = 20, not compared');
    expect(values['valid_unseen_p_holm']).toBeNull();
    expect(values['valid_seen_p_holm']).toBeGreaterThan(0);
  });

  it('names a split that was not evaluated rather than counting it as 0', () => {
    const table = matrixOf(
      aComparison([
        aCheckpoint(0, [counted(9, 40)]),
        aCheckpoint(5, [counted(9, 40), counted(8, 40, { split: 'valid_unseen' })]),
      ]),
    );
    expect(table.rows[0]?.cells.slice(4)).toEqual(['valid_unseen not evaluated', 'n/a', 'n/a']);
    expect(table.rows[0]?.values.valid_unseen_k).toBeNull();
    expect(table.rows[1]?.cells.at(-1)).toBe('baseline not evaluated');
  });
});

it('exported task types have macro and micro beneath, with the same names in every row', () => {
  const comparison = aComparison([
    aCheckpoint(0, [playedOut(new Array<boolean>(80).fill(false))]),
    aCheckpoint(9, [playedOut(Array.from({ length: 80 }, (_, task) => task % 2 === 0))]),
  ]);
  const table = finish(compareTable(comparison, STATE));
  const types = finish(taskTypesOf(table, comparison.tasks, 'valid_seen', STATE));
  const exported = exportTaskTypes(types, compareFilters(table, STATE));
  expect(exported.rows.map(({ cells }) => [cells[0], cells[2]])).toEqual([
    ['GoTo', '0/40 0.0 [0.0, 8.8]; 0.00 pp, not distinguishable, no discordant tasks, p = 1'],
    ['Open', '40/40 100.0 [91.2, 100.0]; +100.00 pp, higher, exact McNemar, Holm p < .001'],
    ['macro, mean of the types', '50.0'],
    ['micro, all tasks', '50.0'],
  ]);
  expect(new Set(exported.rows.map(({ values }) => Object.keys(values).join())).size).toBe(1);
  expect(exported.rows[2]?.values['r-0001@9_rate']).toBe(0.5);
});

it('exported seeds keep evaluation and training apart', () => {
  const table = finish(
    compareTable(
      aComparison([aCheckpoint(150, [counted(123, 140, { seed: 1 }), counted(120, 140, { seed: 2 })])]),
      STATE,
    ),
  );
  const [row] = exportSeeds(seedSpreads(table), []).rows;
  expect(row?.cells[2]).toBe('86.79 ± 1.52 (87.86, 85.71), N = 2');
  expect(row?.values).toMatchObject({ evaluation_seeds: 2, training_seeds: 1, training_sd_percent: null });
});

it('the exported tasks say what became of each, with the trajectories that show it', () => {
  const table = finish(
    compareTable(
      aComparison([
        aCheckpoint(0, [playedOut([false, true, true])]),
        aCheckpoint(5, [playedOut([true, false, true])]),
      ]),
      STATE,
    ),
  );
  const [before, after] = table.rows.map(({ cells }) => cells.get('valid_seen'));
  if (!before || after?.against?.kind !== 'compared' || !after.against.comparison.changes)
    throw new Error('not paired');
  const ids = ['valid_seen:0', 'valid_seen:1', 'valid_seen:2'];
  const exported = exportChangedTasks({
    title: 'Tasks',
    changes: after.against.comparison.changes,
    sides: { before: before.played, after: after.played },
    tasks: new Map(ids.map((taskId) => [taskId, { taskId, taskType: 'Open', goal: `goal of ${taskId}` }])),
    filters: [],
  });
  expect(exported.rows.map(({ cells }) => cells.slice(0, 6).join(' | '))).toEqual([
    'gained | Open | valid_seen:0 | goal of valid_seen:0 | turn limit | won',
    'lost | Open | valid_seen:1 | goal of valid_seen:1 | won | turn limit',
    'both | Open | valid_seen:2 | goal of valid_seen:2 | won | won',
  ]);
  expect(exported.rows[0]?.values).toMatchObject({ before_won: false, after_won: true });
});
