import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StopControl } from './stop-control';

describe('StopControl', () => {
  it('asks first and insists once the grace is over', async () => {
    const stop = new StopControl(30);
    stop.request('stop');
    expect(stop.asked.aborted).toBe(true);
    expect(stop.insisted.aborted).toBe(false);
    await new Promise((resolve) => stop.insisted.addEventListener('abort', resolve));
    expect(stop.reason).toBe('stop');
  });

  it('does not insist on what has ended', async () => {
    const stop = new StopControl(10);
    stop.request('shutdown');
    stop.settle();
    await sleep(40);
    expect(stop.insisted.aborted).toBe(false);
  });

  it('insists at once where the attempt is another worker’s', () => {
    const stop = new StopControl(10_000);
    stop.request('stop');
    stop.request('end');
    expect(stop.insisted.aborted).toBe(true);
    expect(stop.reason).toBe('end');
  });

  it('lets a weaker word change nothing', () => {
    const stop = new StopControl(10_000);
    stop.request('stop');
    stop.request('shutdown');
    expect(stop.reason).toBe('stop');
    stop.settle();
  });
});
