import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimSample, launchSample, trajectory } from '../testing/samples';
import { startTestServer, type TestServer } from '../testing/start-server';

let server: TestServer;
let runId: string;
let trajectoryId: string;
beforeAll(async () => {
  server = await startTestServer();
  runId = await launchSample(server.database);
  const attempt = await claimSample(server.database, 'worker-a');
  await attempt.say(trajectory());
  trajectoryId = String((await server.database.prisma.trajectory.findFirst())?.id);
});
afterAll(() => server.close());

/** Beyond every column's type, of another type, or text that cannot be stored. */
const HOSTILE = [
  2_147_483_648,
  9_007_199_254_740_991,
  1e308,
  -1,
  1.5,
  null,
  '999999999999999999',
  '9999999999999999999',
  '1e5',
  '0x10',
  'a\0b',
  '\ud800',
  '',
  'x'.repeat(3_000),
  [],
  {},
];

/** Bodies that are taken, or refused for what is not there; each of their leaves is made hostile in turn. */
function requests(): [string, string, unknown][] {
  const checkpoint = { runId, step: 0 };
  const world = { kind: 'task', split: 'valid_seen', taskId: 'babyai/Open/1' };
  const pasted = { kind: 'pasted', goal: 'go' };
  const block = (fields: object) => ({ revision: 99, title: 'a', blocks: [{ id: 'b1', ...fields }] });
  return [
    [
      'POST',
      '/plays',
      { checkpoint, world, turns: 3, decoding: 'greedy', temperature: 1, seed: 1, idleMinutes: 15 },
    ],
    ['POST', '/plays', { checkpoint, world: pasted }],
    [
      'POST',
      '/forks',
      { trajectory: trajectoryId, turn: 0, checkpoints: [checkpoint], samples: 1, temperature: 1 },
    ],
    ['POST', '/action-scores', { trajectories: [trajectoryId] }],
    ['POST', `/runs/${runId}/evaluations`, { name: 'a', steps: [0], everyNth: 2, seeds: [1], maxTurns: 3 }],
    ['POST', `/runs/${runId}/continue`, { steps: 5, rules: null }],
    [
      'POST',
      `/runs/${runId}/commands`,
      { key: 'key-0001', command: { kind: 'act', action: 'go', thought: '' } },
    ],
    ['PUT', `/runs/${runId}/metric-marks`, { name: 'reward/mean', reason: 'none' }],
    ['PATCH', '/alerts/1', { acknowledged: true }],
    ['POST', '/reports', { title: 'a' }],
    ['PUT', '/reports/1', block({ kind: 'text', text: 'a' })],
    ['PUT', '/reports/1', block({ kind: 'chart', runs: [runId], series: 'a' })],
    ['PUT', '/reports/1', block({ kind: 'compare', query: 'c=a@1' })],
    ['PUT', '/reports/1', block({ kind: 'pair', a: trajectoryId, b: '' })],
  ];
}

/** The value with each of its leaves, and of its parts, hostile in turn. */
function* madeHostile(value: unknown): Generator {
  yield* HOSTILE;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value))
    for (const hostile of madeHostile(part))
      yield Array.isArray(value) ? value.with(Number(key), hostile) : { ...value, [key]: hostile };
}

describe('a request with a hostile body', () => {
  it('is taken or refused in words, and never fails in the server', async () => {
    const failures: string[] = [];
    for (const [method, path, valid] of requests())
      for (const hostile of madeHostile(valid)) {
        const body = JSON.stringify(hostile);
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch(`${server.url}/api/v1${path}`, { method, headers, body });
        await response.arrayBuffer();
        if (response.status >= 500)
          failures.push(`${response.status} ${method} ${path} ${body.slice(0, 200)}`);
      }
    expect(failures).toEqual([]);
  });
});
