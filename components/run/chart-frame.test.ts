import { describe, expect, it } from 'vitest';
import { emptyRunView } from '@/contract/run-view';
import { neighbourStep, resumesOf } from './chart-frame';

describe('frame of the charts', () => {
  it('moves to the neighbouring evaluation and stays at the ends', () => {
    const steps = [0, 10, 20];
    expect(neighbourStep(steps, 10, 1)).toBe(20);
    expect(neighbourStep(steps, 13, -1)).toBe(10);
    expect(neighbourStep(steps, 20, 1)).toBeNull();
    expect(neighbourStep(steps, null, -1)).toBe(20);
    expect(neighbourStep([], null, 1)).toBeNull();
  });

  it('marks where a second attempt took over, and nothing in a first one', () => {
    const view = emptyRunView('r-0001');
    expect(resumesOf({ view: { ...view, attempt: 1, resumedFromStep: null } })).toEqual([]);
    expect(resumesOf({ view: { ...view, attempt: 2, resumedFromStep: 40 } })).toEqual([
      { step: 40, label: 'resumed, attempt 2' },
    ]);
  });
});
