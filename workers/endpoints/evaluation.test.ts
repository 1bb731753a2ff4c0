import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENDPOINT_EVALUATION_PRESETS } from '@/contract/recipes/endpoint-evaluation-presets';
import { EndpointEvaluationConfig } from '@/contract/recipes/endpoint-evaluation';
import { RunRules } from '@/contract/recipes/run-rules';
import type { RecipeEvent } from '@/contract/run-events';
import { prepareRun } from '@/rl/recipes/registry';
import { NoEngine } from '../engines/no-engine';
import { localContext } from '../run/local-context';
import { ChatServer, completion } from '../testing/chat-server';

const TURNS = 3;
const TASKS = [{ split: 'valid_seen' as const, tasks: 4 }];

let root: string;
let server: ChatServer;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'stepscope-evaluation-'));
  vi.stubEnv('STEPSCOPE_ENDPOINT_CACHE', root);
  server = await ChatServer.start(() => callOf('turn_left'));
});
afterEach(async () => {
  await server.close();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function callOf(name: string, message: object = {}) {
  const call = { id: 'c', type: 'function', function: { name, arguments: '{}' } };
  return completion('', { reasoning_content: `I call ${name}.`, tool_calls: [call], ...message });
}

function configOf(
  preset: keyof typeof ENDPOINT_EVALUATION_PRESETS,
  changes: Partial<EndpointEvaluationConfig> = {},
): EndpointEvaluationConfig {
  const published = ENDPOINT_EVALUATION_PRESETS[preset];
  return {
    ...published,
    environment: { ...published.environment, maxTurns: TURNS },
    evaluation: { ...published.evaluation, splits: TASKS, finalSplits: TASKS },
    endpoint: { ...published.endpoint, address: server.address, concurrency: 2 },
    ...changes,
  };
}

async function eventsOf(
  config: EndpointEvaluationConfig,
  react: (event: RecipeEvent, stop: () => void) => void = () => undefined,
): Promise<RecipeEvent[]> {
  const stop = new AbortController();
  const context = localContext(new NoEngine(), () => root, stop.signal);
  const events: RecipeEvent[] = [];
  for await (const event of prepareRun('endpoint-evaluation', config).events(context)) {
    events.push(event);
    react(event, () => stop.abort(new Error('stopped')));
  }
  return events;
}

function trajectoriesOf(events: readonly RecipeEvent[]) {
  return events.flatMap((event) => (event.kind === 'trajectory:finished' ? [event.trajectory] : []));
}

describe('an evaluation of a model behind an API', () => {
  it('plays every task, and counts its turns, its tokens and what they cost', async () => {
    const cost = {
      currency: 'USD',
      prefillPerMillion: 10_000,
      samplePerMillion: 100_000,
      trainPerMillion: 0,
    };
    const events = await eventsOf(configOf('published-agentic', { cost }));
    const results = events.flatMap((event) =>
      event.kind === 'evaluation:finished' ? [event.evaluation] : [],
    );
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      n: 4,
      turns: 12,
      policy: 'checkpoint',
      scaffold: 'tool-call',
      maxTurns: 3,
    });
    expect(server.asked).toHaveLength(12);
    const points = events.flatMap((event) => (event.kind === 'points:measured' ? event.points : []));
    // Each answer was billed 100 prompt tokens, 40 of them cached, and 7 reply tokens.
    expect(Object.fromEntries(points.map(({ name, value }) => [name, value]))).toMatchObject({
      'tokens/evaluation/prefilled': 720,
      'tokens/evaluation/reused': 480,
      'tokens/evaluation/sampled': 84,
      'cost/evaluation': expect.closeTo((720 * 10_000 + 84 * 100_000) / 1e6, 9),
    });
    const [first] = trajectoriesOf(events);
    expect(first).toMatchObject({ promptTokens: 300, replyTokens: 21, prefilledTokens: 180, flags: [] });
    expect(first?.turns[1]).toMatchObject({
      action: 'turn left',
      thought: 'I call turn_left.',
      formatOk: true,
      promptTokens: 100,
      replyTokens: 7,
      tokens: null,
    });
    expect(events.at(-1)).toEqual({ kind: 'step:finished', step: 1, steps: 1 });
  });

  it('asks in the form of each published variant', async () => {
    const lastAsked = async (preset: Parameters<typeof configOf>[0]) => {
      server.asked.length = 0;
      vi.stubEnv('STEPSCOPE_ENDPOINT_CACHE', join(root, preset));
      const one = [{ split: 'valid_seen' as const, tasks: 1 }];
      const config = configOf(preset);
      await eventsOf({ ...config, evaluation: { ...config.evaluation, splits: one, finalSplits: one } });
      return server.asked
        .at(-1)
        ?.messages.map(({ role, ...rest }) => [
          role,
          ...Object.keys(rest).filter((key) => key !== 'content' && key !== 'name'),
        ]);
    };
    const chat = [
      ['system'],
      ['user'],
      ['assistant', 'tool_calls'],
      ['tool', 'tool_call_id'],
      ['assistant', 'tool_calls'],
      ['tool', 'tool_call_id'],
    ];
    expect(await lastAsked('published-agentic')).toEqual(chat);
    expect(await lastAsked('published-agentic-reasoning')).toEqual(
      chat.map((message) =>
        message[0] === 'assistant' ? ['assistant', 'reasoning_content', 'tool_calls'] : message,
      ),
    );
    for (const preset of ['published-context', 'published-single-call', 'published-two-calls'] as const)
      expect(await lastAsked(preset)).toEqual([['system'], ['user']]);
    // Three turns, and a memory after each but the last.
    expect(server.asked).toHaveLength(5);
  });

  it('goes on after a stop without asking again for what was answered, and then says the same as one that was never stopped', async () => {
    const config = configOf('published-agentic');
    const stopped = await eventsOf(config, (event, stop) => {
      if (event.kind === 'trajectory:finished') stop();
    });
    const before = trajectoriesOf(stopped).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(4);
    expect(stopped.some(({ kind }) => kind === 'evaluation:finished' || kind === 'step:finished')).toBe(
      false,
    );
    const askedBefore = server.asked.length;
    const resumed = await eventsOf(config);
    // Requests that were under way when the run was stopped are the only ones that may be asked twice.
    expect(server.asked.length - askedBefore).toBeLessThanOrEqual((4 - before) * TURNS);
    vi.stubEnv('STEPSCOPE_ENDPOINT_CACHE', join(root, 'other'));
    expect(trajectoriesOf(resumed)).toEqual(trajectoriesOf(await eventsOf(config)));
  });

  it.each([
    ['its code', { message: 'too many tokens', code: 'context_length_exceeded' }],
    ['its words', { message: 'This model’s maximum context length is 4096 tokens.' }],
  ])('ends an episode whose prompt the API finds too long, by %s, and plays the others', async (_, error) => {
    await server.close();
    // Each task's second turn is too long.
    server = await ChatServer.start(({ messages }) =>
      messages.some(({ role }) => role === 'assistant')
        ? { status: 400, body: JSON.stringify({ error }) }
        : callOf('turn_left'),
    );
    const trajectories = trajectoriesOf(await eventsOf(configOf('published-agentic')));
    expect(trajectories).toHaveLength(4);
    for (const trajectory of trajectories)
      expect(trajectory).toMatchObject({ stopReason: 'context_limit', turnsCount: 1, promptTokens: 100 });
  });

  it('waits for an endpoint that is away, and says so', async () => {
    const { port } = server;
    const config = configOf('published-agentic');
    await server.close();
    const events = await eventsOf(
      {
        ...config,
        endpoint: { ...config.endpoint, address: `http://127.0.0.1:${port}/v1`, triesBeforePause: 1 },
      },
      (event) => {
        if (event.kind === 'pause:began')
          void ChatServer.start(() => callOf('turn_left'), port).then((started) => (server = started));
      },
    );
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.indexOf('pause:began')).toBeGreaterThanOrEqual(0);
    expect(kinds.indexOf('pause:ended')).toBeGreaterThan(kinds.indexOf('pause:began'));
    expect(trajectoriesOf(events)).toHaveLength(4);
  });

  it('refuses prices in two places, and top-k', () => {
    const config = configOf('verify');
    const prices = { currency: 'USD', prefillPerMillion: 1, samplePerMillion: 1 };
    expect(
      EndpointEvaluationConfig.safeParse({ ...config, endpoint: { ...config.endpoint, prices } }).error
        ?.issues[0]?.path,
    ).toEqual(['endpoint', 'prices']);
    const topK = { ...config, evaluation: { ...config.evaluation, topK: 5 } };
    expect(EndpointEvaluationConfig.safeParse(topK).error?.issues[0]?.path).toEqual(['evaluation', 'topK']);
  });

  it.each<[string, (config: EndpointEvaluationConfig) => object]>([
    ['evaluation.controls', ({ evaluation }) => ({ evaluation: { ...evaluation, controls: true } })],
    ['probe.tasks', ({ probe }) => ({ probe: { ...probe, tasks: 4 } })],
    ['rules', () => ({ rules: RunRules.parse({}) })],
  ])('refuses %s, which it would not heed', (path, changes) => {
    const config = configOf('verify');
    const { error } = EndpointEvaluationConfig.safeParse({ ...config, ...changes(config) });
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });
});
