import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDetail, RunRow } from '@/contract/api';
import type { ErrorBody } from '@/contract/errors';
import { ENVIRONMENTS } from '@/contract/environments/registry';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { SCAFFOLDS } from '@/contract/scaffolds';
import { aLaunch } from '../testing/a-launch';
import { fetchJson, startTestServer } from '../testing/start-server';
import type { TestServer } from '../testing/start-server';

let server: TestServer;
let api: string;
beforeAll(async () => {
  server = await startTestServer();
  api = `${server.url}/api/v1`;
});
afterAll(() => server.close());

function post(path: string, body: string, type = 'application/json') {
  return fetchJson(`${api}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body });
}

async function launch(): Promise<string> {
  const { status, body } = await post('/runs', JSON.stringify(aLaunch()));
  expect(status).toBe(201);
  return (body as { runId: string }).runId;
}

function promptedWith(prompt: string) {
  return {
    ...GRPO_PRESETS.verify,
    scaffold: { ...SCAFFOLDS['recent-actions'].defaults, template: { prompt } },
  };
}

function playedAt(address: string) {
  return { ...GRPO_PRESETS.verify, environment: { ...ENVIRONMENTS.agentgym.defaults, address } };
}

async function countRuns(): Promise<number> {
  return ((await fetchJson(`${api}/runs`)).body as RunRow[]).length;
}

function errorOf(body: unknown): ErrorBody['error'] {
  return (body as ErrorBody).error;
}

describe('a launch', () => {
  it('queues a run whose detail has its whole config', async () => {
    const runId = await launch();
    const { status, body } = await fetchJson(`${api}/runs/${runId}`);
    expect(status).toBe(200);
    const detail = body as RunDetail;
    expect(detail.run).toMatchObject({
      id: runId,
      status: 'queued',
      name: 'a run',
      preset: 'verify',
      seed: 1,
    });
    expect(detail.config).toEqual(GRPO_PRESETS.verify);
    expect(detail.view.status).toBe('queued');
    expect(detail.leaseMs).toBe(server.runtime.lease.leaseMs);
  });

  it.each([
    ['a wrong field deep in the config', { config: { ...GRPO_PRESETS.verify, steps: -1 } }, 'config.steps'],
    ['an unknown field', { config: { ...GRPO_PRESETS.verify, extra: 1 } }, 'config'],
    ['a missing config', { config: undefined }, 'config'],
    ['an unknown recipe', { recipe: 'magic' }, 'recipe'],
    ['an unknown preset', { preset: 'huge' }, 'preset'],
    ['NUL in a template', { config: promptedWith('a\0b {observation}') }, 'config.scaffold.template.prompt'],
    [
      'half a surrogate pair in a template',
      { config: promptedWith('a\ud83d {observation}') },
      'config.scaffold.template.prompt',
    ],
    ['NUL in an address', { config: playedAt('http://127.0.0.1:36005/a\0b') }, 'config.environment.address'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name of another type', { name: 7 }, 'name'],
  ])('with %s names the field and creates nothing', async (_, changes, path) => {
    const before = await countRuns();
    const { status, body } = await post('/runs', JSON.stringify(aLaunch(changes)));
    expect(status).toBe(422);
    expect(errorOf(body).code).toBe('invalid_input');
    expect(errorOf(body).issues.map((issue) => issue.path)).toContain(path);
    expect(await countRuns()).toBe(before);
  });

  it.each([
    ['', 0],
    ['{"name": "x", ', 14],
    ['{"name": }', 9],
    ['[1, 2, oops]', 7],
    ['{"a": 1} trailing', 9],
  ])('of malformed JSON %j says where', async (text, position) => {
    const before = await countRuns();
    const { status, body } = await post('/runs', text);
    expect(status).toBe(422);
    expect(errorOf(body).message).toMatch(new RegExp(`position ${position}\\b`));
    expect(await countRuns()).toBe(before);
  });

  it('that does not call itself JSON is refused, since another site could send it', async () => {
    const { status, body } = await post('/runs', JSON.stringify(aLaunch()), 'text/plain');
    expect(status).toBe(422);
    expect(errorOf(body).message).toContain('text/plain');
  });

  it('of more than a megabyte is refused unread', async () => {
    const { status, body } = await post('/runs', JSON.stringify({ name: 'x'.repeat(1_100_000) }));
    expect(status).toBe(413);
    expect(errorOf(body).code).toBe('too_large');
  });
});

describe('a stop', () => {
  it('ends a queued run at once, and only once', async () => {
    const runId = await launch();
    expect((await post(`/runs/${runId}/stop`, '')).status).toBe(200);
    const { body } = await fetchJson(`${api}/runs/${runId}`);
    expect((body as RunDetail).run.status).toBe('stopped');
    const again = await post(`/runs/${runId}/stop`, '');
    expect(again.status).toBe(409);
    expect(errorOf(again.body).code).toBe('conflict');
  });

  it('of an unknown run is not found', async () => {
    expect((await post('/runs/r-9999/stop', '')).status).toBe(404);
  });
});

describe('a continuation', () => {
  it('is refused where the run cannot go on, with the reason', async () => {
    const runId = await launch();
    const { status, body } = await post(`/runs/${runId}/continue`, '{}');
    expect(status).toBe(409);
    expect(errorOf(body).message).toBe(`run ${runId} cannot be continued: it is queued`);
  });

  it('names what its body should not hold, and takes nothing but JSON', async () => {
    const runId = await launch();
    const { status, body } = await post(`/runs/${runId}/continue`, '{"steps":0}');
    expect(status).toBe(422);
    expect(errorOf(body).issues?.map(({ path }) => path)).toEqual(['steps']);
    expect((await post(`/runs/${runId}/continue`, '{}', 'text/plain')).status).toBe(422);
    expect((await post('/runs/r-9999/continue', '{}')).status).toBe(404);
  });
});

describe('every route', () => {
  it.each([
    ['/health', { status: 'ok' }],
    ['/workers', []],
    ['/runs/RUN/events', { events: [], refetch: false }],
    ['/runs/RUN/series?name=reward/mean', [{ name: 'reward/mean', buckets: [] }]],
    ['/runs/RUN/series?name=a/b&name=c/d&buckets=7', [{ name: 'a/b' }, { name: 'c/d' }]],
    ['/runs/RUN/series/names', []],
    ['/runs/RUN/series/sums?name=reward/mean', [{ name: 'reward/mean', sum: 0, count: 0 }]],
    ['/runs/RUN/trajectories', { trajectories: [], groups: [], next: null }],
    ['/runs/RUN/probe', { steps: [], tasks: [] }],
    ['/runs/RUN/evaluations', []],
    ['/runs/RUN/checkpoints', []],
  ])('GET %s answers for a run that has only been queued', async (path, expected) => {
    const { status, body } = await fetchJson(`${api}${path.replace('RUN', await launch())}`);
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
  });

  it.each([
    '/runs/r-9999',
    '/runs/r-9999/events',
    '/runs/r-9999/series?name=reward/mean',
    '/runs/r-9999/series/names',
    '/runs/r-9999/series/sums?name=reward/mean',
    '/runs/r-9999/trajectories',
    '/runs/r-9999/probe',
    '/runs/r-9999/pair?taskId=t&a=0&b=1',
    '/runs/r-9999/evaluations',
    '/runs/r-9999/checkpoints',
    '/trajectories/nothing',
    '/trajectories/1',
    '/no/such/route',
  ])('GET %s is not found, in the one shape of errors', async (path) => {
    const { status, body } = await fetchJson(`${api}${path}`);
    expect(status).toBe(404);
    expect(errorOf(body)).toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['/runs/RUN/series', 'name'],
    ['/runs/RUN/series/sums', 'name'],
    ['/runs/RUN/series?name=reward/mean&buckets=0', 'buckets'],
    ['/runs/RUN/events?afterPosition=-1', 'afterPosition'],
    ['/runs/RUN/events?afterPosition=x', 'afterPosition'],
    ['/runs/RUN/trajectories?phase=dream', 'phase'],
    ['/runs/RUN/trajectories?limit=100000', 'limit'],
    ['/runs/RUN/pair?taskId=t&a=0', 'b'],
    ['/runs/RUN/pair?taskId=%00&a=0&b=1', 'taskId'],
    ['/runs/RUN/pair?taskId=t&a=0&b=2147483648', 'b'],
    ['/runs/RUN/trajectories?step=2147483648', 'step'],
    ['/runs/RUN/trajectories?step=', 'step'],
    ['/runs/RUN/trajectories?taskType=a%00b', 'taskType'],
    ['/runs/RUN/series?name=a%00b', 'name.0'],
    ['/runs/%00', 'runId'],
  ])('GET %s names the wrong parameter', async (path, parameter) => {
    const { status, body } = await fetchJson(`${api}${path.replace('RUN', await launch())}`);
    expect(status).toBe(422);
    expect(errorOf(body).issues.map((issue) => issue.path)).toContain(parameter);
  });

  it('is described by the OpenAPI document', async () => {
    const { body } = await fetchJson(`${api}/openapi.json`);
    const { paths } = body as { paths: Record<string, Record<string, unknown>> };
    expect(Object.keys(paths)).toContain('/api/v1/runs/{runId}/series');
    expect(Object.keys(paths['/api/v1/runs'] ?? {}).sort()).toEqual(['get', 'post']);
  });
});

describe('a restart', () => {
  it('keeps every run', async () => {
    const runId = await launch();
    const before = await countRuns();
    await server.restart();
    expect(await countRuns()).toBe(before);
    expect((await fetchJson(`${api}/runs/${runId}`)).status).toBe(200);
  });
});
