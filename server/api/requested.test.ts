import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '@/contract/errors';
import { launchSample } from '../testing/samples';
import { fetchJson, startTestServer, type TestServer } from '../testing/start-server';

let server: TestServer;
let source: string;
beforeAll(async () => {
  server = await startTestServer();
  source = await launchSample(server.runtime.database);
});
afterAll(() => server.close());

function post(path: string, body: unknown, type = 'application/json') {
  const init = { method: 'POST', headers: { 'Content-Type': type }, body: JSON.stringify(body) };
  return fetchJson(`${server.url}/api/v1${path}`, init);
}

async function errorOf(answer: ReturnType<typeof post>) {
  const { status, body } = await answer;
  const { code, issues } = (body as ErrorBody).error;
  return { status, code, paths: issues.map(({ path }) => path) };
}

const play = (changes: object = {}) => ({
  checkpoint: { runId: source, step: 0 },
  world: { kind: 'task', split: 'valid_seen', taskId: 'babyai/Open/1' },
  ...changes,
});

describe('work that is asked of a checkpoint, over HTTP', () => {
  it('is queued as a run, takes commands in their order, and says how far it is', async () => {
    const { status, body } = await post('/plays', play());
    expect(status).toBe(201);
    const { runId } = body as { runId: string };
    const command = { key: 'key-0001', command: { kind: 'let-model-act' } };
    expect(await post(`/runs/${runId}/commands`, command)).toMatchObject({
      status: 200,
      body: { number: 1 },
    });
    expect(await post(`/runs/${runId}/commands`, command)).toMatchObject({ body: { number: 1 } });
    expect(await fetchJson(`${server.url}/api/v1/runs/${runId}/play`)).toMatchObject({
      status: 200,
      body: { status: 'queued', moments: [], lastCommand: 1, config: { checkpoints: [{ runId: source }] } },
    });
  });

  it('is refused field by field, and nothing is queued', async () => {
    const before = await server.runtime.database.prisma.run.count();
    expect(await errorOf(post('/plays', play({ turns: 0, idleMinutes: 0 })))).toEqual({
      status: 422,
      code: 'invalid_input',
      paths: ['turns', 'idleMinutes'],
    });
    expect(await errorOf(post('/plays', play({ checkpoint: { runId: source, step: 9 } })))).toMatchObject({
      status: 409,
      paths: ['checkpoint'],
    });
    expect(await errorOf(post('/plays', play({ checkpoint: { runId: 'r-9999', step: 0 } })))).toMatchObject({
      status: 404,
    });
    expect(await errorOf(post('/plays', play(), 'text/plain'))).toMatchObject({ status: 422 });
    expect(await errorOf(post('/forks', { trajectory: 'x', turn: -1, checkpoints: [] }))).toMatchObject({
      paths: ['trajectory', 'turn', 'checkpoints'],
    });
    expect(await errorOf(post('/action-scores', { trajectories: ['404'] }))).toMatchObject({ status: 404 });
    expect(await server.runtime.database.prisma.run.count()).toBe(before);
  });

  it('is described by the interface itself', async () => {
    const { body } = await fetchJson(`${server.url}/api/v1/openapi.json`);
    const { paths } = body as { paths: Record<string, object> };
    for (const path of ['/action-scores', '/forks', '/plays', '/runs/{runId}/commands'])
      expect(Object.keys(paths[`/api/v1${path}`] ?? {})).toContain('post');
  });
});
