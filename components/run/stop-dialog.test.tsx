import { describe, expect, it } from 'vitest';
import { emptyRunView } from '@/contract/run-view';
import { stopEffect } from './stop-dialog';

const view = emptyRunView('r-0001');

describe('effect of stopping a run', () => {
  it('is small while no worker has claimed it', () => {
    expect(stopEffect(view, null)).toContain('taken from the queue');
  });

  it('names the checkpoints that are kept and the steps that are lost', () => {
    const running = {
      ...view,
      status: 'running' as const,
      step: 17,
      checkpoints: [
        { step: 0, complete: true },
        { step: 10, complete: true },
        { step: 16, complete: false },
      ],
    };
    const words = stopEffect(running, 'desk');
    expect(words).toContain('Asks desk to stop');
    expect(words).toContain('Keeps 2 complete checkpoints, the newest of step 10.');
    expect(words).toContain('steps 11 to 17 is lost');
  });

  it('says that the weights are lost where no checkpoint is complete', () => {
    expect(stopEffect({ ...view, status: 'running', step: 3 }, 'desk')).toContain('the weights are lost');
  });
});
