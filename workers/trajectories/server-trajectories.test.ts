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
/** What the run has, newest first; the server pages through it by the query's limit and offset. */
let kept: Trajectory[];

beforeEach(async () => {
  asked = [];
  kept = [];
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    asked.push(url);
    const id = /\/trajectories\/(\d+)$/.exec(url.pathname)?.[1];
    if (id !== undefined) return response.end(JSON.stringify({ trajectory: kept[Number(id)] }));
    if (!url.pathname.startsWith('/api/v1/runs/r%201/')) return response.writeHead(404).end('{}');
    const offset = Number(url.searchParams.get('offset'));
    const page = kept
      .map((trajectory, index) => ({ ...trajectory, id: String(index) }))
      .slice(offset, offset + Number(url.searchParams.get('limit')));
    return response.end(JSON.stringify({ trajectories: page }));
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
    const [first] = asked;
    expect(first?.searchParams.get('success')).toBe('true');
    expect(first?.searchParams.has('taskType')).toBe(false);
  });

  it('end at the limit', async () => {
    kept = ['a', 'b', 'c'].map((taskId) => won(taskId));
    expect(await read({ limit: 2 })).toEqual(['a', 'b']);
  });

  it('are refused where no run is named, or the server has none of that name', async () => {
    await expect(read({ runs: [] })).rejects.toThrow('names no run');
    await expect(read({ runs: [{ id: 'r 2' }] })).rejects.toMatchObject({ code: 'not_found' });
  });
});
