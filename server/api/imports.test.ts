import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchJson, startTestServer, type TestServer } from '../testing/start-server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const send = (name: string, body: string, type = 'application/octet-stream') =>
  fetchJson(`${server.url}/api/v1/imports?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });

describe('a file that is sent', () => {
  it('becomes a run, and the same again is found', async () => {
    const first = await send('metrics.csv', 'step,a/b\n1,2\n');
    expect(first.body).toMatchObject({ state: 'imported', counts: { points: 1 }, refusal: null });
    const again = await send('metrics.csv', 'step,a/b\n1,2\n');
    expect(again.body).toMatchObject({ state: 'already', counts: { points: 1 } });
    const list = await fetchJson(`${server.url}/api/v1/imports`);
    expect(list.body).toMatchObject([{ path: 'metrics.csv', format: 'verl-csv', state: 'imported' }]);
  });

  it('is refused with file and line, as a finding and not as an error of the server', async () => {
    const { status, body } = await send('bad.csv', 'step,a/b\n1,2\n3\n4,1\n');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'refused',
      runId: null,
      refusal: { message: 'bad.csv:3: 1 cells, expected 2 as in line 1' },
    });
  });

  it('is refused by its own name where it is a pickle, and the server’s folders are not told', async () => {
    const { status, body } = await send('weights.pkl', 'x');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'refused',
      runId: null,
      refusal: {
        code: 'invalid_input',
        message: 'weights.pkl is no plain file of a log: expected text or .eval',
      },
    });
    const list = await fetchJson(`${server.url}/api/v1/imports`);
    expect(list.body).toMatchObject([{ path: 'weights.pkl', bytes: 1, state: 'refused' }, {}, {}]);
  });

  it('keeps a name that no file system takes', async () => {
    const name = `${'🤖'.repeat(90)}.csv`;
    expect((await send(name, 'step,a/b\n1,7\n')).body).toMatchObject({ state: 'imported' });
    expect((await send(name, 'step,a/b\n99999999999,7\n')).body).toMatchObject({
      state: 'refused',
      refusal: {
        message: `${name}:2: step is "99999999999", expected a whole number from 0 to 2147483647`,
      },
    });
    const list = await fetchJson(`${server.url}/api/v1/imports`);
    expect(list.body).toMatchObject([{ path: name }, { path: name }, {}, {}, {}]);
  });

  it('has a plain name and calls itself bytes', async () => {
    expect(await send('../metrics.csv', 'step,a/b\n1,2\n')).toMatchObject({
      status: 422,
      body: {
        error: { message: 'the name is "../metrics.csv", expected that of a file, without a folder' },
      },
    });
    expect((await send('metrics.csv', 'step\n', 'text/plain')).status).toBe(422);
  });
});
