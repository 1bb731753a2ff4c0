import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDeadline } from './deadline';

let silent: Server;
let url: string;

beforeAll(async () => {
  silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  // An address of a listening TCP server.
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

const ask = (signal: AbortSignal) => fetch(url, { signal });

describe('withDeadline', () => {
  it('ends a request that nobody answers, also where memory is collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    // V8's own collector, which the flag puts into new contexts.
    const collect = runInNewContext('gc') as () => void;
    const collecting = setInterval(collect, 10);
    try {
      await expect(withDeadline(300, null, ask)).rejects.toMatchObject({ name: 'TimeoutError' });
    } finally {
      clearInterval(collecting);
    }
  });

  it('ends with the reason of the signal it is given, before or during the action', async () => {
    const controller = new AbortController();
    const during = withDeadline(60_000, controller.signal, ask);
    controller.abort(new Error('leaving'));
    await expect(during).rejects.toThrow('leaving');
    await expect(withDeadline(60_000, controller.signal, ask)).rejects.toThrow('leaving');
  });

  it('gives what the action gives', async () => {
    expect(await withDeadline(60_000, null, () => Promise.resolve(3))).toBe(3);
  });
});
