import { describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import { TinkerConnection } from './connection';
import { awaitResult, type Submitted } from './future';
import { scriptedFetch, scriptedTiming, type Scripted } from './testing/scripted-fetch';

const DONE: Scripted = { status: 200, body: { metrics: {} } };
const REFUSED = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
});

async function follow(script: readonly Scripted[], changes: Partial<Submitted> = {}) {
  const { fetch, sent } = scriptedFetch(script);
  const timing = scriptedTiming();
  const connection = new TinkerConnection({
    address: 'http://gpu:8000',
    apiKey: null,
    patienceMs: 10_000,
    fetch,
    timing,
  });
  let resubmitted = 0;
  const result = awaitResult(connection, {
    route: 'optim_step',
    requestId: '7',
    isRepeatable: false,
    resubmit: () => Promise.resolve(`again-${++resubmitted}`),
    ...changes,
  });
  return {
    result: result.then(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)) as unknown),
    sent,
    timing,
    connection,
    resubmissions: () => resubmitted,
  };
}

describe('a result', () => {
  it('is polled for until it is there: held polls, "try again" and silence are no failures', async () => {
    const { result, sent } = await follow([
      { status: 408, body: { detail: 'Timeout waiting for result' } },
      { status: 200, body: { type: 'try_again', request_id: '7', queue_state: 'active' } },
      { status: 408 },
      DONE,
    ]);
    expect(await result).toEqual({ metrics: {} });
    expect(sent).toHaveLength(4);
    expect(sent.every(({ body }) => JSON.stringify(body) === '{"request_id":"7"}')).toBe(true);
    expect(sent[0]?.route).toBe('/api/v1/retrieve_future');
  });

  it('is not asked for more than five times a second where the server answers at once', async () => {
    const { result, timing } = await follow([{ status: 408 }, { status: 408 }, DONE]);
    await result;
    expect(timing.waits).toEqual([200, 200]);
  });

  it('that was forgotten is submitted for again', async () => {
    const { result, sent } = await follow([{ status: 410, body: { detail: 'gone' } }, DONE]);
    expect(await result).toEqual({ metrics: {} });
    expect(sent[1]?.body).toEqual({ request_id: 'again-1' });
  });

  it('that is unknown is submitted for again where that is harmless', async () => {
    const script: Scripted[] = [{ status: 404, body: { detail: 'Future not found' } }, DONE];
    const sample = await follow(script, { route: 'asample', isRepeatable: true });
    expect(await sample.result).toEqual({ metrics: {} });
    expect(sample.resubmissions()).toBe(1);
    const update = await follow(script);
    await expect(update.result).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('HTTP 404: “Future not found”; the result of optim_step') as string,
    });
    expect(update.resubmissions()).toBe(0);
  });

  it('is waited for longer after each answer of an overrun or stumbling server', async () => {
    const { result, timing, connection } = await follow([
      { status: 429 },
      { status: 503 },
      { status: 500, body: 'Internal Server Error' },
      DONE,
    ]);
    await result;
    expect(timing.waits).toEqual([1000, 2000, 4000]);
    expect(connection.isOverrun).toBe(true);
  });

  it('of a server that is away is waited for until patience ends, and the error names the server', async () => {
    const { result, timing } = await follow(new Array<Scripted>(20).fill({ fails: REFUSED }));
    await expect(result).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'POST http://gpu:8000/api/v1/retrieve_future refused the connection; the result of optim_step was asked for; it was waited for 10 s',
    });
    expect(timing.waits).toEqual([1000, 2000, 4000, 3000]);
  });

  it('of an unpaid account is asked for every five seconds, for an hour at most', async () => {
    const { result, timing } = await follow([{ status: 402 }, { status: 402 }, DONE]);
    await result;
    expect(timing.waits).toEqual([5000, 5000]);
    const unpaid = await follow(new Array<Scripted>(1000).fill({ status: 402 }));
    await expect(unpaid.result).rejects.toThrow('has to be paid for');
    expect(unpaid.sent).toHaveLength(722);
  });
});

describe('a failure', () => {
  it('is final where the server says what is wrong, and names route, request and reason', async () => {
    const { result, sent } = await follow([
      { status: 400, body: { detail: "Loss functions ['gspo'] are not supported by the JAX backend" } },
    ]);
    await expect(result).rejects.toMatchObject({
      code: 'invalid_input',
      message:
        "POST http://gpu:8000/api/v1/optim_step (request 7) failed: “Loss functions ['gspo'] are not supported by the JAX backend”",
    });
    expect(sent).toHaveLength(1);
  });

  it('without a word is asked about three times more', async () => {
    const { result, sent } = await follow(new Array<Scripted>(9).fill({ status: 400 }));
    await expect(result).rejects.toThrow('answered HTTP 400: nothing');
    expect(sent).toHaveLength(4);
  });

  it('that comes with HTTP 200 is one, and whose fault it was is kept', async () => {
    const failing = (category: string) => follow([{ status: 200, body: { error: 'too long', category } }]);
    await expect((await failing('user')).result).rejects.toMatchObject({ code: 'invalid_input' });
    await expect((await failing('server')).result).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('failed: “too long”') as string,
    });
  });

  it('of another status is final', async () => {
    const { result } = await follow([{ status: 403, body: { detail: 'no access' } }]);
    await expect(result).rejects.toThrow(
      'answered HTTP 403: “no access”; the key is read from STEPSCOPE_TINKER_API_KEY',
    );
  });
});

it('a closed engine ends what is waited for', async () => {
  const { result, connection } = await follow([{ hangs: true }]);
  connection.close();
  await expect(result).rejects.toThrow('the engine is closed');
});

it('a wait that a lost session ends says so, also between two polls', async () => {
  const { result, connection } = await follow([{ status: 410 }], {
    resubmit: () => {
      connection.close(new AppError('unavailable', 'the session has expired'));
      return Promise.resolve('8');
    },
  });
  await expect(result).rejects.toThrow('the session has expired');
});

it('a queue that pauses is named when the wait ends badly', async () => {
  const paused: Scripted = {
    status: 200,
    body: { type: 'try_again', queue_state: 'paused_capacity', queue_state_reason: 'no machines' },
  };
  const { result } = await follow([paused, { status: 400, body: { detail: 'stopped' } }]);
  await expect(result).rejects.toThrow('its queue is paused_capacity (no machines)');
});
