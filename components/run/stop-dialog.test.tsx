import { describe, expect, it } from 'vitest';
import { emptyRunView } from '@/contract/run-view';
import { stopEffect } from './stop-dialog';

const view = emptyRunView('r-0001');

describe('effect of stopping a run', () => {
  it('is small while no worker has claimed it', () => {
    expect(stopEffect(view, null)).toContain('taken from the queue');
  });

  const running = { ...view, status: 'running' as const, step: 3 };
  const saved = [
    { step: 0, complete: true },
    { step: 10, complete: true },
    { step: 16, complete: false },
  ];

  it('is a checkpoint at the step that the run is in, also where none is complete yet', () => {
    const stopped = stopEffect(running, 'desk');
    expect(stopped).toContain(
      'Asks desk to stop: it finishes the step that it is in, and saves a checkpoint there, from which Continue goes on.',
    );
    expect(stopped).toContain(
      'If the worker is gone, or is not done within its grace, that step is lost. No checkpoint is complete yet, so what was learnt is then lost.',
    );
    expect(stopped).not.toContain('nothing to save');
  });

  it('names what is left where the worker is gone or cut off', () => {
    const stopped = stopEffect({ ...running, step: 17, checkpoints: saved }, 'desk');
    expect(stopped).toContain(
      'or is not done within its grace, that step is lost. Continue then goes on from step 10, the newest of 2 complete checkpoints, and what was learnt in steps 11 to 17 is lost.',
    );
  });

  it('says that nothing is saved before the first step', () => {
    expect(stopEffect({ ...running, step: 0 }, 'desk')).toContain(
      'Before the first step has begun there is nothing to save.',
    );
  });

  it('is that of the newest checkpoint where no worker is to be asked', () => {
    const lost = stopEffect({ ...running, status: 'lost', step: 12, checkpoints: saved }, 'desk');
    expect(lost).toContain('Its worker is not heard of, so the run is stopped at once.');
    expect(lost).toContain('what was learnt in steps 11 to 12 is lost');
    expect(lost).not.toContain('saves a checkpoint');
    const waiting = {
      ...running,
      status: 'paused' as const,
      awaitsPerson: true,
      step: 10,
      checkpoints: saved,
    };
    expect(stopEffect(waiting, null)).toMatch(
      /^No worker holds the run: it is stopped at once. Continue then goes/,
    );
    const requeued = { ...waiting, status: 'queued' as const, attempt: 1 };
    expect(stopEffect(requeued, null)).toContain('Continue then goes on from step 10');
  });

  it('speaks of no checkpoint where the run trains nothing', () => {
    expect(stopEffect(running, 'desk', false)).toBe(
      'Asks desk to end what it is at, and cuts it off where it does not. Points, trajectories and evaluations stay.',
    );
  });
});
