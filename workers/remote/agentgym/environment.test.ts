import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  expectIndependent,
  expectOffersAccepted,
  expectRepeatable,
  expectSnapshotsExact,
  expectWholeTexts,
} from '@/rl/environments/testing/episode-contract';
import { appleGame, servedAlfWorld } from '../../testing/agentgym-alfworld';
import { servedBabyAi } from '../../testing/agentgym-babyai';
import { AgentGymServer, type AgentGymServerSettings } from '../../testing/agentgym-server';
import type { ServedWorld } from '../../testing/agentgym-world';
import { AgentGymClient } from './client';
import { createAgentGym } from './environment';
import { itemTask } from './task';

const servers: AgentGymServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(world: ServedWorld, settings: AgentGymServerSettings = {}): Promise<AgentGymServer> {
  const server = await AgentGymServer.start(world, settings);
  servers.push(server);
  return server;
}

const REFUSED = /not recognized|^You cannot (?!see)|Nothing happens/;

const GAMES = [
  { game: 'babyai', world: servedBabyAi, indices: [4, 11] },
  { game: 'alfworld', world: () => servedAlfWorld(() => appleGame()), indices: [0, 1] },
] as const;

function open(game: 'babyai' | 'alfworld', { address }: AgentGymServer) {
  return createAgentGym(new AgentGymClient({ address, timeoutS: 20 }), game);
}

describe.each(GAMES)('an environment of $game on a server', ({ game, world, indices: [first, second] }) => {
  const tasks = [itemTask(game, first, 'train'), itemTask(game, second, 'train')] as const;

  it('keeps what every environment promises of its episodes', async () => {
    const environment = open(game, await serve(world()));
    const shown = await expectRepeatable(environment, tasks[0], 6);
    expectWholeTexts((await environment.start(tasks[0])).goal, shown);
    await expectIndependent(environment, [...tasks], 6);
    await expectOffersAccepted(environment, tasks[0], 3, REFUSED);
    await expectSnapshotsExact(environment, tasks[1], 4);
  });

  it('plays no task of another game', async () => {
    const other = game === 'babyai' ? 'alfworld' : 'babyai';
    const environment = open(game, await serve(world()));
    await expect(environment.start(itemTask(other, 0, 'train'))).rejects.toThrow(
      `agentgym/${other}_0 is not a task of ${game}, which this server plays`,
    );
  });
});

describe('environments on a server', () => {
  const household = itemTask('alfworld', 0, 'train');

  it('are given back when their episode is closed, and closed once', async () => {
    const world = servedBabyAi();
    const environment = open('babyai', await serve(world));
    const episode = await environment.start(itemTask('babyai', 4, 'train'));
    expect(world.openIds).toEqual([0]);
    await Promise.all([episode.close(), episode.close()]);
    expect(world.openIds).toEqual([]);
    await expect(episode.step('turn left')).rejects.toThrow('has ended');
  });

  it('are given back where the game cannot be started', async () => {
    const world = servedBabyAi();
    const environment = open('babyai', await serve(world));
    await expect(environment.start(itemTask('babyai', 3, 'train'))).rejects.toThrow('not registered');
    expect(world.openIds).toEqual([]);
  });

  it('are given back where the start is answered in a form that cannot be read', async () => {
    const world = servedBabyAi();
    const server = await serve(world, {
      fault: (route) => (route === 'POST /reset' ? 'wrong_types' : null),
    });
    await expect(open('babyai', server).start(itemTask('babyai', 4, 'train'))).rejects.toThrow(
      'is not valid',
    );
    expect(world.openIds).toEqual([]);
  });

  it('are as many as episodes were played at once where the server closes none', async () => {
    const world = servedAlfWorld(() => appleGame());
    const environment = open('alfworld', await serve(world));
    for (let round = 0; round < 3; round++) {
      const episodes = await Promise.all([environment.start(household), environment.start(household)]);
      for (const episode of episodes) await episode.step('go to fridge 1');
      await Promise.all(episodes.map((episode) => episode.close()));
    }
    expect(world.openIds).toEqual([0, 1]);
  });

  it('are made anew after a restart, and no episode from before plays on in them', async () => {
    const server = await serve(servedAlfWorld(() => appleGame()));
    const environment = open('alfworld', server);
    const [before, idle] = [await environment.start(household), await environment.start(household)];
    await idle.close();
    const { port } = server;
    await server.close();
    await serve(
      servedAlfWorld(() => appleGame()),
      { port },
    );
    // The client's connections to the old server are in this process: it has to hear of their end first.
    await sleep(50);
    const after = await environment.start(household);
    expect(await after.step('go to fridge 1')).toMatchObject({ valid: true });
    await expect(before.step('go to countertop 1')).rejects.toThrow('was restarted');
    expect(await after.step('open fridge 1')).toMatchObject({ valid: true });
  });

  it.each(['redirect', 'internal_error', 'html', 'huge'] as const)(
    'are given back where a turn or the start was answered by %s: the server is there',
    async (fault) => {
      for (const faulty of ['POST /step', 'POST /reset']) {
        const world = servedBabyAi();
        const server = await serve(world, { fault: (route) => (route === faulty ? fault : null) });
        const starting = open('babyai', server).start(itemTask('babyai', 4, 'train'));
        if (faulty === 'POST /reset') await expect(starting).rejects.toThrow('/reset answered');
        else {
          const episode = await starting;
          await expect(episode.step('turn left')).rejects.toThrow('/step answered');
          await episode.close();
        }
        expect(world.openIds).toEqual([]);
      }
    },
  );

  it('are not played in again after an answer in doubt where the server closes none', async () => {
    const server = await serve(
      servedAlfWorld(() => appleGame()),
      { fault: (route, nth) => (route === 'POST /step' && nth === 0 ? 'redirect' : null) },
    );
    const environment = open('alfworld', server);
    const first = await environment.start(household);
    await expect(first.step('look')).rejects.toThrow('HTTP 307');
    await first.close();
    await environment.start(household);
    expect(server.count('POST /create')).toBe(2);
  });

  it('are not asked for again after they left a turn unanswered', async () => {
    const server = await serve(servedBabyAi(), {
      fault: (route) => (route === 'POST /step' ? 'drop' : null),
    });
    const episode = await open('babyai', server).start(itemTask('babyai', 4, 'train'));
    await expect(episode.step('turn left')).rejects.toThrow('gave no answer');
    await expect(episode.step('turn left')).rejects.toThrow('has ended');
    expect(episode.snapshot().actions).toEqual([]);
    await expect(episode.close()).rejects.toThrow('was not given back');
    expect(server.count('POST /close')).toBe(0);
  });
});
