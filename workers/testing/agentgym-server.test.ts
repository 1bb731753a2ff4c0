import { afterEach, describe, expect, it } from 'vitest';
import { APPLE_PLAN, appleGame, servedAlfWorld } from './agentgym-alfworld';
import { servedBabyAi } from './agentgym-babyai';
import { AgentGymServer } from './agentgym-server';
import type { ServedWorld } from './agentgym-world';

let server: AgentGymServer;
afterEach(() => server.close());

async function serve(world: ServedWorld): Promise<void> {
  server = await AgentGymServer.start(world);
}

async function post(route: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${server.address}${route}`, {
    method: 'POST',
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return response.json();
}

async function get(route: string): Promise<unknown> {
  return (await fetch(`${server.address}${route}`)).json();
}

describe('the server of BabyAI', () => {
  it('answers its errors with HTTP 200, a wrong body with 422 and an unknown route with 404', async () => {
    await serve(servedBabyAi());
    expect(await get('/')).toBe('This is environment BabyAI.');
    expect(await post('/reset', { id: 99, data_idx: 0 })).toEqual({ error: 'The id 99 is not valid.' });
    expect(await post('/create')).toEqual({ id: 0 });
    expect(await post('/step', { id: 0, action: 'turn left' })).toEqual({ error: '0' });
    expect(await get('/observation?id=0')).toEqual({ error: 'Environment not initialized' });
    expect(await post('/reset', { id: 0, data_idx: 3 })).toEqual({
      error: expect.stringContaining('not registered'),
    });
    const wrong = await fetch(`${server.address}/step`, { method: 'POST', body: '{"id":' });
    expect(wrong.status).toBe(422);
    expect((await fetch(`${server.address}/render`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${server.address}/step`)).status).toBe(405);
  });

  it('never gives an id again and refuses one that was given back', async () => {
    await serve(servedBabyAi());
    await post('/create');
    expect(await post('/close', { id: 0 })).toBe(true);
    expect(await post('/close', { id: 0 })).toBe(false);
    expect(await post('/create')).toEqual({ id: 1 });
    expect(await post('/reset', { id: 0, data_idx: 0 })).toEqual({
      error: 'The task with environment 0 has been deleted.',
    });
  });

  it('pays a late success again for each turn that moves nothing, and adds all up', async () => {
    await serve(servedBabyAi());
    await post('/create');
    await post('/reset', { id: 0, data_idx: 2 });
    for (let turn = 0; turn < 40; turn++) await post('/step', { id: 0, action: 'turn left' });
    const won = await playToBall();
    expect(won.observation).toContain('The task is completed.');
    expect(won.reward).toBeGreaterThan(0);
    expect(won).toMatchObject({ score: won.reward, done: false });
    expect(await post('/step', { id: 0, action: 'none available' })).toMatchObject({
      reward: won.reward,
      score: 2 * won.reward,
      done: false,
    });
  });
});

interface Told {
  observation: string;
  reward: number;
  score: number;
  done: boolean;
}

async function playToBall(): Promise<Told> {
  for (let turn = 0; turn < 10; turn++) {
    const { observation } = (await get('/observation?id=0')) as Told;
    const action = observation.includes('"go to red ball 1"') ? 'go to red ball 1' : 'turn right';
    const told = (await post('/step', { id: 0, action })) as Told;
    if (told.reward > 0) return told;
  }
  throw new Error('the ball was not reached in 10 turns');
}

describe('the server of ALFWorld', () => {
  it('plays a game to its end, has no route to close, and refuses what comes after', async () => {
    await serve(servedAlfWorld(() => appleGame()));
    expect(await get('/')).toBe('This is environment AlfWorld.');
    await post('/create');
    expect(await post('/reset', { id: 0, game: 0, world_type: 'Book' })).toEqual({
      error: 'world_type must be one of "Text", "Embody" and "Hybrid"',
    });
    expect(await post('/reset', { id: 0, game: 0, world_type: 'Text' })).toMatchObject({
      observation: expect.stringMatching(
        /^You are in the middle of a room.*\nYour task is to: put some apple/,
      ),
      available_actions: ['go to countertop 1', 'go to fridge 1', 'inventory', 'look'],
    });
    expect(await post('/step', { id: 0, action: 'go to countertop 1' })).toEqual({
      observation: 'On the countertop 1, you see a apple 1.',
      reward: 0,
      available_actions: ['go to fridge 1', 'inventory', 'look', 'take apple 1 from countertop 1'],
      done: false,
    });
    for (const action of APPLE_PLAN.slice(1, -1)) await post('/step', { id: 0, action });
    expect(await post('/step', { id: 0, action: APPLE_PLAN.at(-1) })).toMatchObject({
      reward: 1,
      done: true,
    });
    expect(await post('/step', { id: 0, action: 'look' })).toEqual({
      error: 'The task with environment 0 has finished.',
    });
    expect(await post('/close', { id: 0 })).toEqual({ detail: 'Not Found' });
  });
});
