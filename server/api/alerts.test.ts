import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Alert, MetricMark, RunAlerts } from '@/contract/alert';
import type { StepFailures } from '@/contract/failure-cluster';
import { Analyst } from '../analysis/analyst';
import {
  claimSample,
  launchSample,
  points,
  status,
  trajectory,
  type SampleAttempt,
} from '../testing/samples';
import { fetchJson, startTestServer, type TestServer } from '../testing/start-server';

let server: TestServer;
let run: SampleAttempt;
let api: string;

beforeAll(async () => {
  server = await startTestServer();
  api = `${server.url}/api/v1`;
  await launchSample(server.database);
  run = await claimSample(server.database, 'worker-a');
  const constant = [0, 10, 20].map((step) => points(step, { 'val-core/a b/pass@1': 1 }));
  await run.say(status('running'), ...constant, trajectory({ step: 3, success: false, turns: [] }));
  await new Analyst(server.database).look(() => undefined);
});
afterAll(() => server.close());

function send(method: string, path: string, body?: unknown) {
  const headers = { 'Content-Type': 'application/json' };
  return fetchJson(`${api}${path}`, { method, headers, body: JSON.stringify(body) });
}

it('answers with a run’s alerts and readings, and takes note of one', async () => {
  const { body } = await fetchJson(`${api}/runs/${run.runId}/alerts`);
  const { alerts, readings } = body as RunAlerts;
  expect(readings).toHaveLength(14);
  expect(alerts).toMatchObject([{ detector: 'constant_metric', step: 20, acknowledgedAt: null }]);
  const open = async () => (await fetchJson(`${api}/alerts?run=${run.runId}`)).body as Alert[];
  expect(await open()).toHaveLength(1);
  const changed = await send('PATCH', `/alerts/${alerts[0]?.id}`, { acknowledged: true });
  expect(changed.status).toBe(200);
  expect(await open()).toEqual([]);
  expect((await send('PATCH', '/alerts/999999', { acknowledged: true })).status).toBe(404);
  expect((await send('PATCH', `/alerts/${alerts[0]?.id}`, { acknowledged: 'yes' })).status).toBe(422);
  expect((await fetchJson(`${api}/runs/r-9999/alerts`)).status).toBe(404);
});

it('marks a metric meaningless with a reason, changes the reason and takes the mark away', async () => {
  const path = `/runs/${run.runId}/metric-marks`;
  const name = 'val-core/a b/pass@1';
  expect((await send('PUT', path, { name, reason: '  ' })).status).toBe(422);
  expect((await send('PUT', path, { name: 'no/such', reason: 'x' })).status).toBe(404);
  await send('PUT', path, { name, reason: 'hard-coded' });
  const marked = await send('PUT', path, { name, reason: ' = 1.0 always ' });
  expect(marked.body as MetricMark[]).toMatchObject([{ name, reason: '= 1.0 always' }]);
  const left = await fetchJson(`${api}${path}?name=${encodeURIComponent(name)}`, { method: 'DELETE' });
  expect(left.body).toEqual([]);
});

it('answers with failures by step', async () => {
  const { body } = await fetchJson(`${api}/runs/${run.runId}/failure-clusters?step=3`);
  expect(body as StepFailures[]).toMatchObject([{ step: 3, phase: 'train', n: 1, failed: 1 }]);
  expect((await fetchJson(`${api}/runs/${run.runId}/failure-clusters?phase=none`)).status).toBe(422);
});
