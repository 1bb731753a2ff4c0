import { describe, expect, it } from 'vitest';
import type { ChartFrame } from './chart-frame';
import { pointLinks, withPointMenu } from './point-menu';

describe('links of a point', () => {
  it('lead from an evaluation to the trajectories of its own checkpoint', () => {
    const links = pointLinks('r-0001', 20, [0, 10, 20]);
    expect(links.trajectories).toBe('/runs/r-0001/trajectories?step=20');
    expect(links.failed).toBe('/runs/r-0001/trajectories?step=20&success=false');
    expect(links.pair).toBe('/runs/r-0001/pair?a=0&b=20');
  });

  it('lead from a training metric to what the checkpoint before the update sampled', () => {
    const links = pointLinks('r-0001', 17, [0, 10, 20]);
    expect(links.trajectories).toBe('/runs/r-0001/trajectories?step=16&phase=train');
    expect(links.sampledBy).toBe('checkpoint 16');
    expect(links.pair).toBe('/runs/r-0001/pair?a=0&b=10');
  });
});

describe('the pair of a point before the first evaluation', () => {
  it('is with the first one after step 0, which is never laid beside itself', () => {
    expect(pointLinks('r-0001', 9, [0, 10, 20]).pair).toBe('/runs/r-0001/pair?a=0&b=10');
    expect(pointLinks('r-0001', 0, [0, 10, 20]).pair).toBe('/runs/r-0001/pair?a=0&b=10');
  });
});

describe('the point menu', () => {
  const frame: ChartFrame = {
    reachedStep: 10,
    lastStep: 20,
    isOver: false,
    isReading: false,
    smoothing: 0,
    pinnedStep: 5,
    resumes: [],
    onPin: () => undefined,
  };
  const menu = { runId: 'r-0001', evaluations: [], onClose: () => undefined };

  it('stands on the chart that was clicked, and on no other', () => {
    const shown = withPointMenu(frame, { ...menu, chart: 'actor/entropy' });
    expect(shown.menuOf?.('actor/entropy')).toBeTruthy();
    expect(shown.menuOf?.('reward/mean')).toBeNull();
  });

  it('stands nowhere while it is closed or no step is pinned', () => {
    expect(withPointMenu(frame, { ...menu, chart: null }).menuOf).toBeUndefined();
    const unpinned = { ...frame, pinnedStep: null };
    expect(withPointMenu(unpinned, { ...menu, chart: 'success' }).menuOf).toBeUndefined();
  });
});
