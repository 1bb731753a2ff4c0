import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trajectory } from '@/contract/trajectory';
import type { TrajectoryFilter } from '@/contract/trajectory-filter';
import { playedEpisode } from '@/rl/recipes/testing/played';
import { trajectoriesOfServer } from './server-trajectories';

const filter: TrajectoryFilter = {
  runs: [{ id: 'r 1' }],
  outcome: 'won',
  taskType: null,
  minReward: 0.5,
  limit: 1000,
};

let server: Server;
let asked: URL[];
/** What the run has, newest first; the server pages through it by the query's limit, and goes on after an id. */
let kept: Trajectory[];
let runStatus: string;
/** Called before each page is answered. */
let beforePage: () => void;

beforeEach(async () => {
  asked = [];
  kept = [];
  runStatus = 'finished';
  beforePage = () => undefined;
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    asked.push(url);
    const id = /\/trajectories\/(\d+)$/.exec(url.pathname)?.[1];
    if (id !== undefined)
      return response.end(JSON.stringify({ trajectory: kept[kept.length - 1 - Number(id)] }));
    if (url.pathname === '/api/v1/runs/r%201')
      return response.end(JSON.stringify({ run: { name: 'teacher', status: runStatus } }));
    if (!url.pathname.startsWith('/api/v1/runs/r%201/')) return response.writeHead(404).end('{}');
    beforePage();
    const after = url.searchParams.get('after');
    const rest = kept
      .map((trajectory, index) => ({ ...trajectory, id: String(kept.length - 1 - index) }))
      .filter(({ id }) => after === null || Number(id) < Number(after));
    const page = rest.slice(0, Number(url.searchParams.get('limit')));
    const next = page.length < rest.length ? page.at(-1)?.id : null;
    return response.end(JSON.stringify({ trajectories: page, next }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function read(changes: Partial<TrajectoryFilter> = {}): Promise<string[]> {
  const { port } = server.address() as AddressInfo;
  const found: string[] = [];
  const signal = new AbortController().signal;
  for await (const { taskId } of trajectoriesOfServer(
    `http://127.0.0.1:${port}`,
    { ...filter, ...changes },
    signal,
  ))
    found.push(taskId);
  return found;
}

const won = (taskId: string, reward = 1) => playedEpisode({ taskId, success: true, reward }, [{}]).trajectory;

describe('trajectories of the server', () => {
  it('are those of the named runs that pass, over as many pages as there are', async () => {
    kept = Array.from({ length: 205 }, (_, index) => won(`task ${index}`, index % 100 === 4 ? 1 : 0));
    expect(await read()).toEqual(['task 4', 'task 104', 'task 204']);
    const first = asked.find(({ pathname }) => pathname.endsWith('/trajectories'));
    expect(first?.searchParams.get('success')).toBe('true');
    expect(first?.searchParams.has('taskType')).toBe(false);
  });

  it('are read once each where new ones come before the page that follows', async () => {
    kept = Array.from({ length: 205 }, (_, index) => won(`task ${index}`, index === 199 ? 1 : 0));
    beforePage = () => {
      if (asked.some(({ searchParams }) => searchParams.has('after'))) kept.unshift(won('late'));
    };
    expect(await read()).toEqual(['task 199']);
  });

  it.each(['queued', 'running', 'paused', 'lost'])(
    'are refused of a run that is %s, by its name',
    async (status) => {
      runStatus = status;
      await expect(read()).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`names r 1 "teacher", which is ${status};`) as string,
      });
    },
  );

  it('end at the limit', async () => {
    kept = ['a', 'b', 'c'].map((taskId) => won(taskId));
    expect(await read({ limit: 2 })).toEqual(['a', 'b']);
  });

  it('are refused where no run is named, or the server has none of that name', async () => {
    await expect(read({ runs: [] })).rejects.toThrow('names no run');
    await expect(read({ runs: [{ id: 'r 2' }] })).rejects.toMatchObject({ code: 'not_found' });
  });
});
