// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { CapabilityResult, CapabilityRow } from '@/contract/capability';
import { CapabilityTable } from './capability-panel';

afterEach(cleanup);

function aRow(id: number, changes: Partial<CapabilityResult>): CapabilityRow {
  return {
    id,
    runId: 'r-0001',
    runName: 'a run',
    result: {
      checkpoint: null,
      step: 0,
      model: 'Qwen3-14B',
      isBase: true,
      benchmark: 'ifeval',
      scores: [{ metric: 'prompt_level', value: 485 / 541, n: 541, isMacro: false }],
      invalid: null,
      tokens: { mean: 952.3, median: 659, p95: 2670 },
      ...changes,
    },
  };
}

const rowOf = (text: string) => {
  const row = screen.getByText(text).closest('tr');
  if (!row) throw new Error(`no row has ${text}`);
  return within(row);
};

describe('the table of general capability', () => {
  it('marks a loss against the base with the interval of the difference', () => {
    const scores = [{ metric: 'prompt_level', value: 461 / 541, n: 541, isMacro: false }];
    render(
      <CapabilityTable
        capabilities={[aRow(1, {}), aRow(2, { model: 'teacher', isBase: false, step: 554, scores })]}
        evaluations={[]}
      />,
    );
    const teacher = rowOf('teacher');
    expect(teacher.getByText('lost')).toBeTruthy();
    expect(teacher.getByText(/^−4\.4 pp \[/)).toBeTruthy();
    expect(teacher.getByText('not evaluated')).toBeTruthy();
    expect(rowOf('Qwen3-14B').getByText('659.0, 2670.0')).toBeTruthy();
  });

  it('compares nothing where the source states no number of questions, nor a mean over subjects', () => {
    const micro = (value: number) => [
      { metric: 'micro', value, n: null, isMacro: false },
      { metric: 'macro', value, n: null, isMacro: true },
    ];
    render(
      <CapabilityTable
        capabilities={[
          aRow(1, { benchmark: 'mmlu_redux', scores: micro(0.9) }),
          aRow(2, {
            benchmark: 'mmlu_redux',
            isBase: false,
            model: 'student',
            scores: micro(0.88),
            tokens: null,
          }),
        ]}
        evaluations={[]}
      />,
    );
    expect(screen.getByText('n not stated, not compared')).toBeTruthy();
    expect(screen.getByText('mean over subjects: no interval')).toBeTruthy();
    expect(screen.getAllByText('−2.0')).toHaveLength(2);
  });
});
