import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TinkerConnection } from './connection';
import { exchangeKey, readClientConfig } from './credentials';
import { Secret } from './secret';
import { scriptedFetch, scriptedTiming, type Scripted } from './testing/scripted-fetch';

const KEY = 'tml-0123456789abcdef';
const Answer = z.object({ request_id: z.string() });

function connect(script: readonly Scripted[]) {
  const { fetch, sent } = scriptedFetch(script);
  const timing = scriptedTiming();
  const connection = new TinkerConnection({
    address: 'https://gpu.example/tinker/',
    apiKey: new Secret(KEY),
    patienceMs: 5000,
    fetch,
    timing,
  });
  return { connection, sent, timing };
}

const submit = (connection: TinkerConnection) =>
  connection.request(Answer, { route: 'asample', body: { prompt: 1 } });

describe('a submission', () => {
  it('goes to its route with the key and gives the parsed answer', async () => {
    const { connection, sent } = connect([{ status: 200, body: { request_id: '1', more: true } }]);
    expect(await submit(connection)).toEqual({ request_id: '1' });
    expect(sent[0]).toMatchObject({ method: 'POST', route: '/tinker/api/v1/asample', body: { prompt: 1 } });
    expect(sent[0]?.headers.get('x-api-key')).toBe(KEY);
  });

  it('is repeated as it is while the server is overrun or stumbles, as late as it asks for', async () => {
    const { connection, sent, timing } = connect([
      { status: 429, headers: { 'Retry-After': '2' } },
      { status: 502 },
      { status: 200, body: { request_id: '1' } },
    ]);
    await submit(connection);
    expect(timing.waits).toEqual([2000, 2000]);
    expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it.each([
    [
      409,
      { detail: 'Training request sequence number was reused' },
      'conflict',
      'sequence number was reused',
    ],
    [404, { detail: 'Not Found' }, 'not_found', '“Not Found”'],
    [
      422,
      {
        detail: [
          { loc: ['body', 'sampling_params', 'stop'], msg: 'Input should be a valid list', input: 'x' },
        ],
      },
      'invalid_input',
      'body.sampling_params.stop: Input should be a valid list',
    ],
    [
      400,
      { detail: 'max_tokens is currently required' },
      'invalid_input',
      'max_tokens is currently required',
    ],
  ])('that is refused with %i is not repeated, and says what was said', async (status, body, code, said) => {
    const { connection, sent } = connect([{ status, body }]);
    await expect(submit(connection)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(
        new RegExp(`^POST https://gpu.example/tinker/api/v1/asample answered HTTP ${status}: .*${said}`),
      ) as string,
    });
    expect(sent).toHaveLength(1);
  });

  it('whose answer is no JSON, or another, names the route', async () => {
    const bytes = new TextEncoder().encode('<html>');
    const { connection } = connect([
      { status: 200, body: bytes },
      { status: 200, body: { id: 1 } },
    ]);
    await expect(submit(connection)).rejects.toThrow('answered no JSON: “<html>”');
    await expect(submit(connection)).rejects.toThrow(
      'the answer of POST https://gpu.example/tinker/api/v1/asample is not valid: request_id',
    );
  });

  it('of a closed connection is not sent', async () => {
    const { connection, sent } = connect([]);
    connection.close();
    await expect(submit(connection)).rejects.toThrow('the engine is closed');
    expect(sent).toEqual([]);
  });
});

describe('the key', () => {
  const FAILURES: Scripted[] = [
    { status: 401, body: { detail: `key ${KEY} is unknown` } },
    { status: 400, body: { error: `bad ${KEY}` } },
    { status: 200, body: new TextEncoder().encode(`not JSON ${KEY}`) },
    { status: 422, body: { detail: [{ loc: ['header', KEY], msg: `wrong ${KEY}` }] } },
    { fails: new TypeError(`Headers.append: "${KEY}" is an invalid header value`) },
  ];

  it.each(FAILURES.map((failure, index) => [index, failure] as const))(
    'is in no error, whatever fails (%i)',
    async (_, failure) => {
      const { connection } = connect(new Array<Scripted>(9).fill(failure));
      const error: unknown = await submit(connection).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      const told = inspect(error, { depth: 10, showHidden: true });
      expect(told).toContain('gpu.example');
      expect(told).not.toContain(KEY);
    },
  );

  it('is not shown by printing, joining or storing what holds it', () => {
    const { connection } = connect([]);
    const secret = new Secret(KEY);
    for (const text of [
      inspect(connection, { depth: 10, showHidden: true }),
      `${secret}`,
      JSON.stringify({ secret }),
    ])
      expect(text).not.toContain(KEY);
    expect(secret.reveal()).toBe(KEY);
  });

  it('is exchanged for a token where the server asks for that, and the token is hidden too', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: Date.now() / 1000 + 3600 })).toString('base64url');
    const jwt = `eyJhbGciOiJub25lIn0.${claims}.signature`;
    const { connection, sent } = connect([
      { status: 200, body: { pjwt_auth_enabled: true } },
      { status: 200, body: { jwt } },
      { status: 401, body: { detail: `${jwt} has expired` } },
    ]);
    expect((await readClientConfig(connection)).pjwt_auth_enabled).toBe(true);
    await exchangeKey(connection);
    const error = String(await submit(connection).catch((reason: unknown) => reason));
    expect(sent[2]?.headers.get('x-api-key')).toBe(jwt);
    expect(error).toContain('[secret] has expired');
    expect(error).not.toContain(jwt);
    connection.close();
  });
});

it('a server without the route of its config asks for nothing', async () => {
  const { connection } = connect([{ status: 404, body: { detail: 'Not Found' } }]);
  expect(await readClientConfig(connection)).toEqual({ pjwt_auth_enabled: false });
});
