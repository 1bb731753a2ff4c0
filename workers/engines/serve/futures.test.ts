import { describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import { FutureStore, type Result } from './futures';

const DONE: Result = { kind: 'plain', value: { metrics: {} } };

function store() {
  let nowMs = 0;
  const futures = new FutureStore(() => nowMs);
  return {
    futures,
    pass: (ms: number) => {
      nowMs += ms;
      futures.sweep();
    },
  };
}

describe('a result', () => {
  it('is told as often as it is asked for, to all who wait', async () => {
    const { futures } = store();
    let finish: (result: Result) => void = () => undefined;
    const id = futures.submit(new Promise((resolve) => (finish = resolve)));
    const waiting = [futures.retrieve(id, 10_000), futures.retrieve(id, 10_000)];
    finish(DONE);
    expect(await Promise.all([...waiting, futures.retrieve(id, 0)])).toEqual([DONE, DONE, DONE]);
  });

  it('that takes longer than a poll is held is asked for again with 408', async () => {
    const { futures } = store();
    const id = futures.submit(new Promise(() => undefined));
    await expect(futures.retrieve(id, 5)).rejects.toMatchObject({
      status: 408,
      detail: 'Timeout waiting for result',
    });
  });

  it('that failed is a 400 with the reason', async () => {
    const { futures } = store();
    const id = futures.submit(Promise.reject(new AppError('invalid_input', 'data[0] is empty')));
    await expect(futures.retrieve(id, 1000)).rejects.toMatchObject({
      status: 400,
      detail: 'data[0] is empty',
    });
  });

  it('is kept for five minutes after it was told, for an hour otherwise, and never forgotten before it is there', async () => {
    const { futures, pass } = store();
    const told = futures.submit(Promise.resolve(DONE));
    const untold = futures.submit(Promise.resolve(DONE));
    const open = futures.submit(new Promise(() => undefined));
    await futures.retrieve(told, 1000);
    pass(4 * 60_000);
    await futures.retrieve(told, 1000);
    pass(2 * 60_000);
    await expect(futures.retrieve(told, 0)).rejects.toMatchObject({
      status: 404,
      detail: 'Future not found',
    });
    expect(await futures.retrieve(untold, 0)).toEqual(DONE);
    pass(48 * 3_600_000);
    await expect(futures.retrieve(untold, 0)).rejects.toMatchObject({ status: 404 });
    await expect(futures.retrieve(open, 0)).rejects.toMatchObject({ status: 408 });
  });
});
