import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionScoresAnswer } from '@/contract/action-scores';
import type { LaunchedRun } from '@/contract/api';
import type { Fork } from '@/contract/forks';
import type { PlayCommand, PlayState } from '@/contract/play';
import type { TrajectoriesPage } from '@/contract/trajectory-list';
import { splitTasks } from '@/rl/environments/babyai/splits';
import { openTestDatabase, type TestDatabase } from '@/server/testing/test-database';
import { Deployment } from './testing/deployment';
import { eventually } from './testing/programs';

const LEASE_MS = 2000;
const STEPS = 2;

let database: TestDatabase;
let deployment: Deployment;
/** A run with checkpoints of steps 1 and 2, and the ids of two of its trajectories, of steps 0 and 1. */
let source: string;
let recorded: [string, string];
beforeAll(async () => {
  database = await openTestDatabase();
  deployment = await Deployment.open({ databaseUrl: database.url, leaseMs: LEASE_MS, env: process.env });
  source = await deployment.launch('source', { steps: STEPS, checkpoint: { everySteps: 1 } });
  deployment.startWorker('one');
  await deployment.reachesStatus(source, 'finished');
  const ids = await Promise.all(
    [0, 1].map(async (step) => {
      const page = await get<TrajectoriesPage>(`/runs/${source}/trajectories?step=${step}&limit=1`);
      return page.trajectories[0]?.id ?? '';
    }),
  );
  recorded = [ids[0] ?? '', ids[1] ?? ''];
});
afterAll(async () => {
  await deployment?.close();
  await database?.close();
});

async function get<T>(path: string): Promise<T> {
  return (await (await fetch(`${deployment.url}/api/v1${path}`)).json()) as T;
}

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(`${deployment.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** What the server answers once it is as wanted. */
function reads<T>(path: string, isWanted: (answer: T) => boolean): Promise<T> {
  let last: T | null = null;
  return eventually(
    async () => {
      last = await get<T>(path);
      return isWanted(last) ? last : null;
    },
    () => `${path} as wanted: ${JSON.stringify(last)}`,
  );
}

describe('work that is asked of a checkpoint', () => {
  it('scores recorded replies under both checkpoints', async () => {
    const [a, b] = recorded;
    await post('/action-scores', { trajectories: [a, b] });
    const { scores } = await reads<ActionScoresAnswer>(
      `/action-scores?trajectory=${a}&trajectory=${b}`,
      (answer) => answer.scores.length === 4,
    );
    expect(scores.map(({ refusal }) => refusal)).toEqual([null, null, null, null]);
    for (const { turns } of scores) for (const { reply } of turns) expect(reply.logprob).toBeLessThan(0);
  });

  it('goes on from a turn of a recorded trajectory', async () => {
    const [trajectory] = recorded;
    const checkpoints = [0, STEPS].map((step) => ({ runId: source, step }));
    await post('/forks', { trajectory, turn: 1, checkpoints, samples: 2 });
    const forks = await reads<Fork[]>(`/forks?trajectory=${trajectory}&turn=1`, (answer) =>
      answer.every(({ status }) => status === 'finished'),
    );
    expect(forks.map(({ checkpoint, trajectories }) => [checkpoint.step, trajectories.length])).toEqual([
      [STEPS, 2],
      [0, 2],
    ]);
    for (const { trajectories } of forks)
      expect(trajectories).toMatchObject([
        { phase: 'fork', givenTurns: 1 },
        { phase: 'fork', givenTurns: 1 },
      ]);
  });

  it('is played by hand, also by another worker after the first one has died', async () => {
    const taskId = splitTasks('valid_seen', 1)[0]?.id ?? '';
    const world = { kind: 'task', split: 'valid_seen', taskId };
    const checkpoint = { runId: source, step: STEPS };
    const { runId } = await post<LaunchedRun>('/plays', { checkpoint, world, turns: 20, decoding: 'greedy' });
    const give = (key: string, command: PlayCommand) => post(`/runs/${runId}/commands`, { key, command });
    const carriedOut = (command: number) =>
      reads<PlayState>(`/runs/${runId}/play`, ({ moments }) => moments.at(-1)?.command === command);
    await give('key-0001', { kind: 'act', action: 'turn left', thought: '' });
    await give('key-0002', { kind: 'let-model-act', turns: 1 });
    const before = await carriedOut(2);
    expect(before.moments.map(({ turn }) => turn?.by ?? null)).toEqual([null, 'person', 'model']);
    await deployment.killWorkers();
    await give('key-0003', { kind: 'act', action: 'turn right', thought: '' });
    deployment.startWorker('two');
    const after = await carriedOut(3);
    // The second worker has carried out the first two commands again, to the same place.
    expect(after.moments.slice(0, 3)).toEqual(before.moments);
    await give('key-0004', { kind: 'end' });
    const over = await reads<PlayState>(
      `/runs/${runId}/play`,
      ({ status, trajectoryId }) => status === 'finished' && trajectoryId !== null,
    );
    expect(over.moments.at(-1)).toMatchObject({ over: true, turn: { index: 2 } });
    const { trajectories } = await get<TrajectoriesPage>(`/runs/${runId}/trajectories?phase=manual`);
    expect(trajectories).toMatchObject([{ id: over.trajectoryId, turnsCount: 3, stopReason: 'stopped' }]);
  });
});
