// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportRow } from '@/contract/imports';
import { ImportsTable } from './imports-table';

const IMPORTED: ImportRow = {
  id: 2,
  path: 'logs/metrics.csv',
  format: 'verl-csv',
  bytes: 37_210,
  state: 'imported',
  runId: 'r-0007',
  runName: 'metrics.csv',
  counts: { points: 3724, trajectories: 0, evaluations: 0, capabilities: 0 },
  skipped: [{ file: 'metrics.csv', line: 4, reason: 'a/b is "x", which is no number' }],
  skippedCount: 1,
  refusal: null,
  createdAt: 1_700_000_000_000,
};

afterEach(cleanup);

describe('the table of imports', () => {
  it('leads to the run and names file and line of what was left out', () => {
    render(<ImportsTable imports={[IMPORTED]} now={1_700_000_005_000} />);
    expect(screen.getByRole('link', { name: 'metrics.csv' }).getAttribute('href')).toBe('/runs/r-0007');
    expect(screen.getByText('metrics.csv:4')).toBeTruthy();
    expect(screen.getByText('3,724')).toBeTruthy();
  });

  it('says why a file was refused, and counts nothing of it', () => {
    const refusal = {
      code: 'invalid_input',
      message: 'bad.csv:3: 1 cells, expected 2 as in line 1',
    } as const;
    const row: ImportRow = { ...IMPORTED, state: 'refused', runId: null, runName: null, refusal };
    render(<ImportsTable imports={[row]} now={null} />);
    expect(screen.getByText(refusal.message)).toBeTruthy();
    expect(screen.queryByText('3,724')).toBeNull();
    expect(screen.getAllByText('n/a').length).toBeGreaterThanOrEqual(4);
  });

  it('says that an import broke off, why, and counts nothing of it', () => {
    const refusal = { code: 'internal', message: 'The import’s process ended' } as const;
    render(<ImportsTable imports={[{ ...IMPORTED, state: 'broken', refusal }]} now={null} />);
    expect(screen.getByText('broke off')).toBeTruthy();
    expect(screen.getByText(refusal.message)).toBeTruthy();
    expect(screen.queryByText('3,724')).toBeNull();
  });

  it('says how many parts beyond the listed ones were left out', () => {
    render(<ImportsTable imports={[{ ...IMPORTED, skippedCount: 1200 }]} now={null} />);
    expect(screen.getByText('1,199 more are not listed.')).toBeTruthy();
  });
});
