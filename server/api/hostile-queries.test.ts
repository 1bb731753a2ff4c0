import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { claimSample, launchSample, trajectory } from '../testing/samples';
import { fetchJson, startTestServer, type TestServer } from '../testing/start-server';

/** What the interface says of its own routes, as far as it is asked with. */
const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean().default(false),
});
const Description = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ parameters: z.array(Parameter).default([]) }))),
});

/** Beyond every column's type, no number to Postgres or another one than to JavaScript, or nothing that text can hold. */
const HOSTILE = [
  '2147483648',
  '9'.repeat(18),
  '9'.repeat(19),
  '9'.repeat(400),
  '-1',
  '1.5',
  '1e999',
  '0x10',
  'NaN',
  'Infinity',
  'e',
  '---',
  '1.5_1',
  'e_1',
  '1e400_1',
  '9999999999_5',
  '1_1e999',
  '999999999999999999999_1',
  'r-0001@99999999999',
  '!!!',
  "'",
  '\\',
  '%',
  '\0',
  'a\0b',
  'x'.repeat(3_000),
  '',
].map(encodeURIComponent);
/** Half a surrogate pair in bytes, and a sequence that ends early: no text at all. */
const UNDECODABLE = ['%ED%A0%80', '%E0%A4%A'];

let server: TestServer;
let known: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  const runId = await launchSample(server.database);
  const attempt = await claimSample(server.database, 'worker-a');
  await attempt.say(trajectory());
  const [played] = await server.database.prisma.trajectory.findMany();
  const trajectoryId = String(played?.id);
  known = {
    runId,
    trajectoryId,
    trajectory: trajectoryId,
    a: trajectoryId,
    b: trajectoryId,
    c: `${runId}@0`,
    run: runId,
  };
});
afterAll(() => server.close());

async function parametersOfReads() {
  const { body } = await fetchJson(`${server.url}/api/v1/openapi.json`);
  return Object.entries(Description.parse(body).paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? []).map((parameter) => ({ path, parameter, others: get?.parameters ?? [] })),
  );
}

type Read = Awaited<ReturnType<typeof parametersOfReads>>[number];

/** The route's address with one parameter hostile, and what it needs besides as a page would ask. */
function addressOf(
  { path, parameter, others }: Read,
  value: string,
  extra: Record<string, string> = {},
): string {
  const encoded = (name: string) =>
    name === parameter.name ? value : encodeURIComponent(known[name] ?? '1');
  const route = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(name));
  const query = others
    .filter((other) => other.in === 'query' && (other.required || other.name === parameter.name))
    .map((other) => `${other.name}=${encoded(other.name)}`);
  const more = Object.entries(extra).map(([name, text]) => `${name}=${text}`);
  return `${server.url}${path.startsWith('/api') ? '' : '/api/v1'}${route}?${[...query, ...more].join('&')}`;
}

describe('a read with a hostile parameter', () => {
  it('is answered or refused in words, and never fails in the server', async () => {
    const reads = await parametersOfReads();
    expect(reads.length).toBeGreaterThan(60);
    const failures: string[] = [];
    for (const read of reads)
      for (const value of [...HOSTILE, ...UNDECODABLE])
        for (const extra of read.parameter.name === 'after' ? AFTER_IN_ORDERS : [{}]) {
          const address = addressOf(read, value, extra);
          const response = await fetch(address);
          await response.arrayBuffer();
          if (response.status >= 500) failures.push(`${response.status} ${address.slice(0, 200)}`);
        }
    expect(failures).toEqual([]);
  });

  it('takes a number for no other than the decimal one that is written', async () => {
    const read = async (query: string) => (await fetch(`${server.url}/api/v1${query}`)).status;
    for (const query of ['/trajectories?minReward=0x10', '/trajectories?limit=0x10', '/runs?limit=1e1'])
      expect(await read(query)).toBe(422);
    expect(await read('/trajectories?minReward=-1.5e-3&limit=10')).toBe(200);
  });
});

const AFTER_IN_ORDERS: Record<string, string>[] = [
  {},
  ...['reward', 'turns', 'tokens'].map((order) => ({ order })),
  ...['reward', 'name', 'step', 'started'].map((sort) => ({ sort })),
];
