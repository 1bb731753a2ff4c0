import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appleGame, servedAlfWorld } from '../../testing/agentgym-alfworld';
import { servedBabyAi } from '../../testing/agentgym-babyai';
import { AgentGymServer, type AgentGymServerSettings, type Fault } from '../../testing/agentgym-server';
import { AgentGymClient, type AgentGymConnection } from './client';

const Told = z.object({ observation: z.string(), reward: z.number() });

const servers: AgentGymServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(world = servedBabyAi(), settings: AgentGymServerSettings = {}): Promise<AgentGymServer> {
  const server = await AgentGymServer.start(world, settings);
  servers.push(server);
  return server;
}

function clientOf(address: string, changes: Partial<AgentGymConnection> = {}): AgentGymClient {
  return new AgentGymClient({ address, timeoutS: 20, refusedWaitsMs: [20, 20, 20], ...changes });
}

/** A client with an environment whose every step has the fault. */
async function faulty(fault: Fault): Promise<{ client: AgentGymClient; id: number; address: string }> {
  const server = await serve(servedBabyAi(), {
    fault: (route) => (route === 'POST /step' ? fault : null),
  });
  const client = clientOf(server.address);
  const id = await client.create();
  await client.reset(id, { data_idx: 0 }, Told);
  return { client, id, address: server.address };
}

describe('the client of an AgentGym server', () => {
  it('creates, resets, steps and closes', async () => {
    const server = await serve();
    const client = clientOf(`${server.address}/`);
    expect(await client.served()).toBe('BabyAI');
    const id = await client.create();
    expect((await client.reset(id, { data_idx: 4 }, Told)).observation).toMatch(/^Your goal: go to /);
    expect((await client.step(id, 'turn left', Told)).reward).toBe(0);
    expect(await client.close(id)).toBe(true);
    expect(server.requests).toEqual(['GET /', 'POST /create', 'POST /reset', 'POST /step', 'POST /close']);
  });

  it('says that an environment stays where the server has no route to close it', async () => {
    const { address } = await serve(servedAlfWorld(() => appleGame()));
    const client = clientOf(address);
    expect(await client.served()).toBe('AlfWorld');
    const id = await client.create();
    await client.reset(id, { game: 0, world_type: 'Text' }, z.unknown());
    expect(await client.availableActions(id)).toEqual([
      'go to countertop 1',
      'go to fridge 1',
      'inventory',
      'look',
    ]);
    expect(await client.close(id)).toBe(false);
  });

  it('throws the errors that come as answers, naming address, route and text', async () => {
    const { address } = await serve();
    const client = clientOf(address);
    await expect(client.step(99, 'turn left', Told)).rejects.toMatchObject({
      code: 'conflict',
      message: `POST ${address}/step answered the error “The id 99 is not valid.”`,
    });
    const id = await client.create();
    await client.close(id);
    await expect(client.close(id)).rejects.toThrow(`POST ${address}/close did not close environment ${id}`);
  });

  it('throws what is wrong with a body that the server cannot read', async () => {
    const { address } = await serve();
    await expect(clientOf(address).reset(0.5, { data_idx: 1 }, Told)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/\/reset answered HTTP 422: “\{"detail":\[/),
    });
  });

  it.each<[Fault, string, RegExp]>([
    ['drop', 'unavailable', /\/step gave no answer: /],
    ['break', 'unavailable', /\/step broke off its answer: /],
    ['truncated', 'unavailable', /\/step answered no JSON: “\{"observation":/],
    ['html', 'unavailable', /\/step answered no JSON: “<html>/],
    ['huge', 'too_large', /\/step answered more than 1048576 bytes/],
    ['redirect', 'unavailable', /\/step answered HTTP 307: nothing/],
    ['internal_error', 'internal', /\/step answered HTTP 500: “Internal Server Error”/],
    ['wrong_types', 'invalid_input', /the answer of POST .*\/step is not valid: observation: .*; reward: /],
  ])('throws, naming the route, where an answer is %s', async (fault, code, message) => {
    const { client, id, address } = await faulty(fault);
    const error: unknown = await client.step(id, 'turn left', Told).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AppError', code, message: expect.stringMatching(message) });
    expect(error).toMatchObject({ message: expect.stringContaining(address) });
  });

  it('waits no longer for an answer than it was told to', async () => {
    const { address, id } = await faulty('hang');
    const hasty = clientOf(address, { timeoutS: 0.1 });
    await expect(hasty.step(id, 'turn left', Told)).rejects.toThrow(
      /\/step gave no whole answer within 0\.1 s/,
    );
  });

  it('sends a step once, whatever becomes of it', async () => {
    const server = await serve(servedBabyAi(), {
      fault: (route) => (route === 'POST /step' ? 'drop' : null),
    });
    const client = clientOf(server.address, { refusedWaitsMs: [3_600_000] });
    const id = await client.create();
    await client.reset(id, { data_idx: 0 }, Told);
    await expect(client.step(id, 'turn left', Told)).rejects.toThrow('gave no answer');
    expect(server.count('POST /step')).toBe(1);
    await server.close();
    await expect(client.step(id, 'turn left', Told)).rejects.toThrow('refused the connection');
  });

  it('tries create and reset again while nobody listens, and no longer than it was told to', async () => {
    const { port, address } = await portThatIsFree();
    await expect(clientOf(address).create()).rejects.toMatchObject({
      code: 'unavailable',
      message: `POST ${address}/create refused the connection`,
    });
    const patient = clientOf(address, { refusedWaitsMs: Array.from({ length: 500 }, () => 20) });
    const creating = patient.create();
    await serve(servedBabyAi(), { port });
    expect(await creating).toBe(0);
  });

  it('tries nothing again that was heard', async () => {
    const server = await serve(servedBabyAi(), { fault: () => 'drop' });
    await expect(clientOf(server.address).create()).rejects.toThrow('gave no answer');
    expect(server.count('POST /create')).toBe(1);
  });
});

async function portThatIsFree(): Promise<{ port: number; address: string }> {
  const server = await AgentGymServer.start(servedBabyAi());
  const { port, address } = server;
  await server.close();
  return { port, address };
}
