import { describe, expect, it } from 'vitest';
import { pointLinks } from './point-menu';

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
