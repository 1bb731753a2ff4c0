import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlayRequest, type PlayMoment } from '@/contract/play';
import { REQUESTED_RECIPE_IDS } from '@/contract/recipes/requested';
import { claimRun } from '../queue/claim';
import {
  launchSample,
  SampleAttempt,
  sampleWorker,
  status,
  TEST_LEASE,
  trajectory,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { registerWorker } from '../workers/registry';
import { commandsAfter, giveCommand } from './commands';
import { requestPlay, requirePlay } from './queries';

const WORKER = sampleWorker('worker-a', { recipes: REQUESTED_RECIPE_IDS });
const LEFT = { kind: 'act', action: 'turn left', thought: '' } as const;

let database: TestDatabase;
let source: string;
beforeAll(async () => {
  database = await openTestDatabase();
  await registerWorker(database, WORKER);
  source = await launchSample(database);
});
afterAll(() => database.close());

async function play(): Promise<SampleAttempt> {
  const world = { kind: 'task', split: 'valid_seen', taskId: 'babyai/Open/1' };
  const request = PlayRequest.parse({
    checkpoint: { runId: source, step: 0 },
    world,
    turns: 3,
    temperature: 0.5,
  });
  const { runId } = await requestPlay(database, request);
  const claimed = await claimRun(database, WORKER, TEST_LEASE);
  expect(claimed?.claimed).toMatchObject({
    runId,
    config: { environment: { maxTurns: 3 }, evaluation: { temperature: 0.5 }, world, idleMinutes: 15 },
  });
  return new SampleAttempt(database, 'worker-a', runId, claimed?.claimed.attempt ?? 0);
}

function moment(changes: Partial<PlayMoment>): { kind: string; moment: PlayMoment } {
  const seen = { goal: 'open', observation: 'A door.', availableActions: [], picture: null, turn: null };
  const outcome = { reward: 0, success: false, over: false, busy: false, refusal: null };
  return { kind: 'play:advanced', moment: { command: 0, ...seen, ...outcome, ...changes } };
}

describe('commands of a play by hand', () => {
  it('are numbered in their order, and one that is sent twice is stored once', async () => {
    const run = await play();
    const given = [
      await giveCommand(database, run.runId, { key: 'key-0001', command: LEFT }),
      await giveCommand(database, run.runId, {
        key: 'key-0002',
        command: { kind: 'let-model-act', turns: 2 },
      }),
      await giveCommand(database, run.runId, { key: 'key-0001', command: LEFT }),
    ];
    expect(given.map(({ number, workerId }) => [number, workerId])).toEqual([
      [1, 'worker-a'],
      [2, 'worker-a'],
      [1, 'worker-a'],
    ]);
    const after = (number: number) =>
      commandsAfter(database, 'worker-a', { runId: run.runId, attempt: run.attempt, after: number });
    expect(await after(0)).toEqual([
      { number: 1, command: LEFT },
      { number: 2, command: { kind: 'let-model-act', turns: 2 } },
    ]);
    expect(await after(2)).toEqual([]);
    await expect(
      commandsAfter(database, 'worker-b', { runId: run.runId, attempt: run.attempt, after: 0 }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('given at the same moment all have their place', async () => {
    const run = await play();
    const numbers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        giveCommand(database, run.runId, { key: `key-${index}-at-once`, command: LEFT }),
      ),
    );
    expect(numbers.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are refused under the key of another command', async () => {
    const run = await play();
    await giveCommand(database, run.runId, { key: 'key-0001', command: LEFT });
    const other = { key: 'key-0001', command: { ...LEFT, action: 'turn right' } };
    await expect(giveCommand(database, run.runId, other)).rejects.toMatchObject({
      code: 'conflict',
      message: `key key-0001 is that of command 1 of run ${run.runId}, which is another`,
    });
    expect((await requirePlay(database, run.runId)).lastCommand).toBe(1);
  });

  it('are refused once the episode is over, but for one that was stored before', async () => {
    const run = await play();
    await giveCommand(database, run.runId, { key: 'key-0001', command: LEFT });
    await run.say(status('running'), moment({}), moment({ command: 1, success: true, over: true }));
    await expect(giveCommand(database, run.runId, { key: 'key-0002', command: LEFT })).rejects.toMatchObject({
      code: 'conflict',
      message: `run ${run.runId} takes no more commands: its episode is over`,
    });
    expect(await giveCommand(database, run.runId, { key: 'key-0001', command: LEFT })).toMatchObject({
      number: 1,
    });
  });

  it('are refused after the one that ends the play', async () => {
    const run = await play();
    await giveCommand(database, run.runId, { key: 'key-0001', command: { kind: 'end' } });
    await expect(giveCommand(database, run.runId, { key: 'key-0002', command: LEFT })).rejects.toThrow(
      `run ${run.runId} takes no more commands: command 1 ends it`,
    );
  });

  it('are refused by a run that is no play, and by one that has ended', async () => {
    const request = { key: 'key-0001', command: LEFT };
    await expect(giveCommand(database, source, request)).rejects.toThrow(
      `run ${source} takes no commands: its recipe is grpo, not play`,
    );
    const run = await play();
    await run.say(status('running'), status('finished'));
    await expect(giveCommand(database, run.runId, request)).rejects.toMatchObject({
      code: 'conflict',
      message: `run ${run.runId} takes no more commands: it is finished`,
    });
  });
});

it('A play says how far it has come, its record once it is over, and is refused of other runs', async () => {
  const run = await play();
  expect(await requirePlay(database, run.runId)).toMatchObject({
    moments: [],
    lastCommand: 0,
    trajectoryId: null,
  });
  await giveCommand(database, run.runId, { key: 'key-0001', command: LEFT });
  await run.say(moment({}), moment({ command: 1, observation: 'A wall.' }));
  const state = await requirePlay(database, run.runId);
  expect(state.moments.map(({ command, observation }) => [command, observation])).toEqual([
    [0, 'A door.'],
    [1, 'A wall.'],
  ]);
  expect(state).toMatchObject({ lastCommand: 1, status: 'starting', config: { decoding: 'sampled' } });
  await run.say(trajectory({ phase: 'manual', stopReason: 'stopped' }), moment({ command: 1, over: true }));
  const { trajectoryId } = await requirePlay(database, run.runId);
  expect(trajectoryId).toMatch(/^\d+$/);
  await expect(requirePlay(database, source)).rejects.toMatchObject({ code: 'conflict' });
});

it.each([
  ['GoToLocalS8N7/1', 'babyai/GoToLocalS8N7/1'],
  ['babyai/GoToLocalS8N7/1', 'babyai/GoToLocalS8N7/1'],
  ['alfworld/a-game', 'alfworld/a-game'],
])('A play of the task %s is asked for as %s', async (taskId, asked) => {
  const request = PlayRequest.parse({
    checkpoint: { runId: source, step: 0 },
    world: { kind: 'task', split: 'valid_seen', taskId },
  });
  const { runId } = await requestPlay(database, request);
  const { config } = await requirePlay(database, runId);
  expect(config.world).toMatchObject({ taskId: asked });
});
