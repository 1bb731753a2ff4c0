import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EndpointSettings } from '@/contract/endpoint';
import { TURN_JUDGE_PRESETS } from '@/contract/recipes/turn-judge-presets';
import type { TurnJudgeConfig } from '@/contract/recipes/turn-judge';
import type { StampedEvent } from '@/contract/run-events';
import type { AppendEvents, ClaimedRun } from '@/contract/socket';
import { trainTurnJudge } from '@/rl/recipes/turn-judge';
import { CheckpointStore } from '../checkpoints/checkpoint-store';
import { CheckpointUploader } from '../checkpoints/uploader';
import { createEngine } from '../engines/engine';
import { Outbox, type OutgoingAttempt } from '../outbox/outbox';
import { ChatServer, completion, type ChatServerAnswer } from '../testing/chat-server';
import { eventually, freePort } from '../testing/programs';
import { tinyConfig, writeTinyBase } from '../testing/tiny-training';
import { runAttempt, type AttemptContext } from './run-attempt';
import { StopControl } from './stop-control';

const ATTEMPT = { runId: 'r-0001', attempt: 1 };
const STEPS = 2;

let root: string;
let stored: StampedEvent['event'][];
let outgoing: OutgoingAttempt;
let judge: ChatServer | null;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'stepscope-outage-'));
  vi.stubEnv('STEPSCOPE_ENDPOINT_CACHE', join(root, 'answers'));
  stored = [];
  judge = null;
  await writeTinyBase(join(root, 'base'));
});
afterEach(async () => {
  await judge?.close();
  await outgoing.finish(AbortSignal.abort());
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function configOf(port: number): TurnJudgeConfig {
  const { horizon: _, ...tiny } = tinyConfig(join(root, 'base'), { steps: STEPS });
  const { small } = TURN_JUDGE_PRESETS;
  return {
    ...small,
    ...tiny,
    rollout: { ...tiny.rollout, groups: 3, groupSize: 1 },
    judge: {
      ...small.judge,
      source: 'endpoint',
      endpoint: EndpointSettings.parse({
        address: `http://127.0.0.1:${port}/v1`,
        model: 'judge-1',
        triesBeforePause: 2,
        timeoutS: 2,
      }),
    },
    // A tiny base keeps no format, and a strict mix would ask the judge nothing.
    reward: { ...small.reward, format: 'soft' },
    advantage: { permute: false },
    recording: { trainGroups: 3 },
  };
}

function claimedRun(config: TurnJudgeConfig): ClaimedRun {
  return {
    ...ATTEMPT,
    name: 'judged',
    recipe: 'turn-judge',
    preset: 'small',
    config,
    resumeFrom: null,
    heartbeatMs: 100,
    leaseMs: 1000,
  };
}

function contextOf(config: TurnJudgeConfig): AttemptContext {
  const append = ({ events }: AppendEvents) => {
    stored.push(...events.map(({ event }) => event));
    return Promise.resolve({ acknowledgedSeq: stored.length - 1, standing: 'current' as const });
  };
  const sink = { connected: () => Promise.resolve(), append, putBlob: () => Promise.resolve() };
  const outbox = new Outbox(join(root, 'outbox'), { sink, now: () => 1, say: () => undefined });
  outgoing = outbox.open(ATTEMPT, { superseded: () => undefined, undeliverable: () => undefined });
  const store = new CheckpointStore(join(root, 'checkpoints'));
  return {
    outgoing,
    store,
    uploader: new CheckpointUploader(store, { put: () => Promise.resolve() }, 'worker-1'),
    blobs: { fetch: () => Promise.reject(new Error('nothing is fetched')) },
    stop: new StopControl(10_000),
    prepareRun: () => ({ config, events: (recipeContext) => trainTurnJudge(config, recipeContext) }),
    createEngine,
    trajectories: () => {
      throw new Error('no trajectories are asked for');
    },
    earlierPoints: () => Promise.resolve(new Map()),
    workerId: 'worker-1',
    leaving: new AbortController().signal,
    now: () => 1,
  };
}

function statuses(): string[] {
  return stored.flatMap((event) => (event.kind === 'status:changed' ? [String(event.status)] : []));
}

async function paused(): Promise<string> {
  await eventually(
    () => statuses().includes('paused'),
    () => `paused among ${statuses().join()}`,
  );
  return String(stored.find(({ status }) => status === 'paused')?.reason);
}

function trajectories(): StampedEvent['event'][] {
  return stored.filter(({ kind }) => kind === 'trajectory:finished');
}

describe('a run whose judge does not answer', () => {
  it.each<[string, ChatServerAnswer | null, string]>([
    ['is down', null, 'refused the connection'],
    ['limits it', { status: 429, headers: { 'retry-after': '0' }, body: 'slow down' }, 'HTTP 429'],
    ['answers nonsense', { status: 200, body: '<html>' }, 'no chat completion'],
  ])(
    'because it %s is paused with the reason, and goes on by itself with what was sampled',
    async (_, first, reason) => {
      const port = await freePort();
      if (first) judge = await ChatServer.start(() => first, port);
      const config = configOf(port);
      const running = runAttempt(claimedRun(config), contextOf(config));
      expect(await paused()).toContain(reason);
      await judge?.close();
      const asked: string[] = [];
      judge = await ChatServer.start(({ messages }) => {
        asked.push(messages.map(({ content }) => content).join('\n'));
        return completion('{"score": 0.5}');
      }, port);
      expect(await running).toEqual({ status: 'finished', reason: null });
      await outgoing.finish(new AbortController().signal);
      // Between the two a server that comes up may be missed once more.
      expect(statuses()[0]).toBe('running');
      expect(statuses().slice(1, 3)).toEqual(['paused', 'running']);
      expect(statuses().at(-1)).toBe('finished');
      // Two turns of each of three episodes of each step, each asked for once.
      expect(new Set(asked).size).toBe(asked.length);
      expect(trajectories()).toHaveLength(3 * STEPS);
      for (const { trajectory } of trajectories())
        expect(trajectory).toMatchObject({ shapedReward: expect.any(Number), advantage: expect.any(Number) });
      expect(stored.filter(({ kind }) => kind === 'judge:tabulated')).toHaveLength(1);
    },
  );

  it('asks nothing more once one of its requests has failed it', async () => {
    const port = await freePort();
    judge = await ChatServer.start(
      (_, nth) => (nth === 0 ? { status: 403, body: 'no such account' } : 'drop'),
      port,
    );
    const config = configOf(port);
    const ending = await runAttempt(claimedRun(config), contextOf(config));
    expect(ending?.reason).toContain('HTTP 403');
    await outgoing.finish(new AbortController().signal);
    const { length } = judge.asked;
    // A dropped request is tried again after 0.25 s.
    await sleep(700);
    expect(judge.asked).toHaveLength(length);
  });

  it('can be stopped meanwhile: what was sampled is told, and no step is said to be done', async () => {
    const config = configOf(await freePort());
    const context = contextOf(config);
    const running = runAttempt(claimedRun(config), context);
    await paused();
    context.stop.request('stop');
    expect(await running).toEqual({ status: 'stopped', reason: 'stopped on request' });
    await outgoing.finish(new AbortController().signal);
    expect(statuses()).toEqual(['running', 'paused', 'stopped']);
    expect(trajectories()).toHaveLength(3);
    expect(stored.filter(({ kind }) => kind === 'step:finished')).toEqual([]);
    expect(stored.filter(({ kind }) => kind === 'checkpoint:saved')).toEqual([]);
  });
});
