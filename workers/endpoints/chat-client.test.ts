import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EndpointSettings, type ChatRequest } from '@/contract/endpoint';
import { Secret } from '../engines/tinker/secret';
import { ChatServer, completion, type ChatServerAnswer } from '../testing/chat-server';
import { AnswerStore } from './answer-store';
import { ChatClient } from './chat-client';

const KEY = 'sk-very-secret';

let dir: string;
let stop: AbortController;
let server: ChatServer | null;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-endpoint-'));
  stop = new AbortController();
  server = null;
});
afterEach(async () => {
  stop.abort(new Error('the run was stopped'));
  await server?.close();
  rmSync(dir, { recursive: true, force: true });
});

function request(changes: Partial<ChatRequest> = {}): ChatRequest {
  return {
    messages: [{ role: 'user', content: 'hello' }],
    maxTokens: 20,
    temperature: 0,
    seed: 1,
    ...changes,
  };
}

function clientOf(address: string, settings: object = {}): ChatClient {
  return new ChatClient(EndpointSettings.parse({ address, model: 'judge-1', ...settings }), {
    apiKey: new Secret(KEY),
    answers: new AnswerStore(dir),
    signal: stop.signal,
  });
}

/** A server that answers the first requests as listed and every later one with `fine`. */
async function clientAnswered(first: ChatServerAnswer[], settings: object = {}): Promise<ChatClient> {
  server = await ChatServer.start((_, nth) => first[nth] ?? completion('fine'));
  return clientOf(server.address, settings);
}

describe('a chat endpoint', () => {
  it('sends model, messages, tools and key, and reads text, thinking, tool calls and usage', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'turn_left', arguments: '{}' } };
    const client = await clientAnswered([completion('so', { reasoning_content: 'hm', tool_calls: [call] })]);
    const tools = [
      { type: 'function' as const, function: { name: 'turn_left', description: 'left', parameters: {} } },
    ];
    const reply = await client.chat(request({ tools }));
    expect(reply).toEqual({
      content: 'so',
      reasoning: 'hm',
      toolCalls: [{ id: 'c1', name: 'turn_left', arguments: '{}' }],
      stopReason: 'stop',
      usage: { promptTokens: 100, cachedPromptTokens: 40, replyTokens: 7 },
    });
    expect(server?.asked[0]).toMatchObject({
      model: 'judge-1',
      messages: [{ role: 'user', content: 'hello' }],
      tools,
      max_tokens: 20,
      temperature: 0,
      seed: 1,
    });
    expect(server?.headers[0]?.authorization).toBe(`Bearer ${KEY}`);
    expect(client.counts()).toEqual({ prompt: 100, prefilled: 60, reused: 40, sampled: 7 });
  });

  it('gives back thinking, tool calls and the calls that tool messages answer', async () => {
    const client = await clientAnswered([]);
    const toolCalls = [{ id: 'c1', name: 'turn_left', arguments: '{}' }];
    await client.chat(
      request({
        messages: [
          { role: 'assistant', content: '', reasoning: 'hm', toolCalls },
          { role: 'tool', content: 'a wall', name: 'turn_left', toolCallId: 'c1' },
        ],
      }),
    );
    expect(server?.asked[0]?.messages).toEqual([
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'turn_left', arguments: '{}' } }],
      },
      { role: 'tool', content: 'a wall', name: 'turn_left', tool_call_id: 'c1' },
    ]);
  });

  it('does not send an equal request again, from another client either, and counts nothing for it', async () => {
    const client = await clientAnswered([]);
    await client.chat(request());
    const other = clientOf(client.settings.address);
    expect((await other.chat(request())).content).toBe('fine');
    expect(other.counts().prompt).toBe(0);
    await other.chat(request({ seed: 2 }));
    expect(server?.asked).toHaveLength(2);
  });

  it('counts as unknown what an API does not say', async () => {
    const client = await clientAnswered([
      { status: 200, body: JSON.stringify({ choices: [{ message: { content: 'x' } }] }) },
    ]);
    expect((await client.chat(request())).usage).toBeNull();
    expect(client.counts()).toEqual({ prompt: NaN, prefilled: NaN, reused: NaN, sampled: NaN });
  });

  it('holds no more requests open than the settings say', async () => {
    server = await ChatServer.start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return completion('fine');
    });
    const client = clientOf(server.address, { concurrency: 3 });
    await Promise.all(Array.from({ length: 9 }, (_, seed) => client.chat(request({ seed }))));
    expect(server.asked).toHaveLength(9);
    expect(server.mostOpen).toBe(3);
  });

  it.each<[string, ChatServerAnswer, string]>([
    ['500', { status: 500, body: 'oops' }, 'answered HTTP 500: “oops”'],
    ['503 with a key in it', { status: 503, body: `no ${KEY}` }, 'answered HTTP 503: “no [secret]”'],
    ['429', { status: 429, headers: { 'retry-after': '0' }, body: '{}' }, 'answered HTTP 429'],
    ['nonsense', { status: 200, body: '<html>' }, 'answered no chat completion, but “<html>”'],
    ['a wrong schema', { status: 200, body: '{"choices": []}' }, 'answered no chat completion'],
    [
      'an error with status 200',
      { status: 200, body: '{"error": "busy"}' },
      'answered no chat completion, but “{"error": "busy"}”: choices: ',
    ],
    ['a body that breaks off', 'truncate', 'broke off its answer'],
    ['a closed connection', 'drop', 'gave no answer'],
    ['no answer in time', 'hang', 'gave no whole answer within 0.2 s'],
  ])('waits out %s, says so, and goes on by itself', async (_, answer, reason) => {
    const client = await clientAnswered([answer, answer], { triesBeforePause: 2, timeoutS: 0.2 });
    expect(client.trouble).toBeNull();
    const changed = client.troubleChanged();
    const reply = client.chat(request());
    await changed;
    expect(client.trouble).toContain(`http://127.0.0.1:${server?.port}/v1/chat/completions ${reason}`);
    expect(client.trouble).toContain('tried 2 times');
    expect(client.trouble).not.toContain(KEY);
    const over = client.troubleChanged();
    expect((await reply).content).toBe('fine');
    await over;
    expect(client.trouble).toBeNull();
    expect(server?.asked).toHaveLength(3);
  });

  it('tries a passing failure again without a word', async () => {
    const client = await clientAnswered([{ status: 502, body: '' }], { triesBeforePause: 2 });
    let changes = 0;
    void client.troubleChanged().then(() => changes++);
    expect((await client.chat(request())).content).toBe('fine');
    expect(changes).toBe(0);
  });

  it('leaves an endpoint alone for as long as it asks, and says a long wait at once', async () => {
    const client = await clientAnswered([{ status: 429, headers: { 'retry-after': '60' }, body: 'limit' }]);
    const changed = client.troubleChanged();
    const reply = client.chat(request());
    await changed;
    expect(client.trouble).toContain('HTTP 429: “limit”; tried once');
    const other = client.chat(request({ seed: 2 }));
    stop.abort(new Error('the run was stopped'));
    await expect(reply).rejects.toThrow('the run was stopped');
    await expect(other).rejects.toThrow('the run was stopped');
    expect(server?.asked).toHaveLength(1);
  });

  it('finds an endpoint that was down once it is back', async () => {
    const first = await ChatServer.start(() => completion('first'));
    const { port, address } = first;
    await first.close();
    const client = clientOf(address, { triesBeforePause: 1 });
    const changed = client.troubleChanged();
    const reply = client.chat(request());
    await changed;
    expect(client.trouble).toContain('refused the connection');
    server = await ChatServer.start(() => completion('back'), port);
    expect((await reply).content).toBe('back');
  });

  it.each([
    [400, 'invalid_input', 'answered HTTP 400: “no”'],
    [401, 'unauthorized', 'no key was sent: endpoint.keyVariable names none'],
    [307, 'invalid_input', 'a redirect is not followed'],
  ])('fails at once on %i', async (status, code, message) => {
    const client = await clientAnswered([{ status, headers: { Location: '/elsewhere' }, body: 'no' }]);
    await expect(client.chat(request())).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(server?.asked).toHaveLength(1);
  });
});

it.each(['PATH', 'STEPSCOPE_TINKER_API_KEY', 'STEPSCOPE_ENDPOINT_KEYS'])(
  'no config can have the variable %s sent',
  (keyVariable) => {
    const settings = { address: 'http://127.0.0.1:1/v1', model: 'm', keyVariable };
    expect(EndpointSettings.safeParse(settings).success).toBe(false);
  },
);
