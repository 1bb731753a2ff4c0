import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EndpointSettings } from '@/contract/endpoint';
import { TURN_JUDGE_PRESETS } from '@/contract/recipes/turn-judge-presets';
import type { TurnJudgeConfig } from '@/contract/recipes/turn-judge';
import { trainTurnJudge } from '@/rl/recipes/turn-judge';
import { ChatServer, completion, type ChatServerAnswer } from '../testing/chat-server';
import { OutageAttempt } from '../testing/outage-attempt';
import { freePort } from '../testing/programs';
import { tinyConfig } from '../testing/tiny-training';

const STEPS = 2;

let attempt: OutageAttempt;
let judge: ChatServer | null;
beforeEach(async () => {
  attempt = await OutageAttempt.create();
  vi.stubEnv('STEPSCOPE_ENDPOINT_CACHE', join(attempt.root, 'answers'));
  judge = null;
});
afterEach(async () => {
  await judge?.close();
  await attempt.close();
  vi.unstubAllEnvs();
});

function configOf(port: number): TurnJudgeConfig {
  const { horizon: _, ...tiny } = tinyConfig(attempt.base, { steps: STEPS });
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

function judged(config: TurnJudgeConfig) {
  return attempt.run({ config, events: (context) => trainTurnJudge(config, context) });
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
      const running = judged(config);
      expect(await attempt.paused()).toContain(reason);
      await judge?.close();
      const asked: string[] = [];
      judge = await ChatServer.start(({ messages }) => {
        asked.push(messages.map(({ content }) => content).join('\n'));
        return completion('{"score": 0.5}');
      }, port);
      expect(await running).toEqual({ status: 'finished', reason: null });
      // Between the two a server that comes up may be missed once more.
      expect(attempt.statuses()[0]).toBe('running');
      expect(attempt.statuses().slice(1, 3)).toEqual(['paused', 'running']);
      expect(attempt.statuses().at(-1)).toBe('finished');
      // Two turns of each of three episodes of each step, each asked for once.
      expect(new Set(asked).size).toBe(asked.length);
      expect(attempt.told('trajectory:finished')).toHaveLength(3 * STEPS);
      for (const { trajectory } of attempt.told('trajectory:finished'))
        expect(trajectory).toMatchObject({ shapedReward: expect.any(Number), advantage: expect.any(Number) });
      expect(attempt.told('judge:tabulated')).toHaveLength(1);
    },
  );

  it('asks nothing more once one of its requests has failed it', async () => {
    const port = await freePort();
    judge = await ChatServer.start(
      (_, nth) => (nth === 0 ? { status: 403, body: 'no such account' } : 'drop'),
      port,
    );
    const config = configOf(port);
    const ending = await judged(config);
    expect(ending?.reason).toContain('HTTP 403');
    const { length } = judge.asked;
    // A dropped request is tried again after 0.25 s.
    await sleep(700);
    expect(judge.asked).toHaveLength(length);
  });

  it('can be stopped meanwhile: what was sampled is told, and no step is said to be done', async () => {
    const config = configOf(await freePort());
    const running = judged(config);
    await attempt.paused();
    attempt.stop.request('stop');
    expect(await running).toEqual({ status: 'stopped', reason: 'stopped on request' });
    expect(attempt.statuses()).toEqual(['running', 'paused', 'stopped']);
    expect(attempt.told('trajectory:finished')).toHaveLength(3);
    expect(attempt.told('step:finished')).toEqual([]);
    expect(attempt.told('checkpoint:saved')).toEqual([]);
  });
});
