import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '@/contract/errors';
import type { Report } from '@/contract/report';
import { fetchJson, startTestServer, type TestServer } from '../testing/start-server';

let server: TestServer;
let report: Report;
beforeAll(async () => {
  server = await startTestServer();
  report = (await send('POST', '', { title: 'Findings' })).body as Report;
});
afterAll(() => server.close());

function send(method: string, path: string, body: unknown) {
  const init = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return fetchJson(`${server.url}/api/v1/reports${path}`, init);
}

const change = (changes: object) =>
  send('PUT', `/${report.id}`, { revision: 1, title: 'Findings', blocks: [], ...changes });
const text = (words: string) => ({ blocks: [{ id: 'b1', kind: 'text', text: words }] });

describe('a change of a report', () => {
  it.each([
    ['NUL in its title', { title: 'a\0b' }, 'title'],
    ['half a surrogate pair in its title', { title: 'a\ud83d' }, 'title'],
    ['NUL in a text', text('a\0b'), 'blocks.0.text'],
    ['half a surrogate pair in a text', text('a\ud83d b'), 'blocks.0.text'],
    [
      'NUL in a series',
      { blocks: [{ id: 'b1', kind: 'chart', runs: [], series: 'a\0' }] },
      'blocks.0.series',
    ],
    [
      'half a surrogate pair in the id of a run',
      { blocks: [{ id: 'b1', kind: 'chart', runs: ['\udc00'], series: '' }] },
      'blocks.0.runs.0',
    ],
    [
      'NUL in the query of a comparison',
      { blocks: [{ id: 'b1', kind: 'compare', query: 'c=a\0@1' }] },
      'blocks.0.query',
    ],
    ['a revision that no report can have', { revision: 2_147_483_648 }, 'revision'],
  ])('with %s is refused by the name of the field, and nothing is changed', async (_, changes, path) => {
    const { status, body } = await change(changes);
    expect(status).toBe(422);
    expect((body as ErrorBody).error.issues.map((issue) => issue.path)).toContain(path);
    expect((await fetchJson(`${server.url}/api/v1/reports/${report.id}`)).body).toEqual(report);
  });

  it.each([
    ['/runs/%00', 'run \u2400'],
    ['/runs/a%00b', 'run a\u2400b'],
    ['/trajectories/%00', 'trajectory \u2400'],
    ['/trajectories/99999999999999999999999', 'trajectory 99999999999999999999999'],
    ['/trajectories/1e5', 'trajectory 1e5'],
    ['/runs/%ED%A0%80', 'run %ED%A0%80'],
  ])('that links to %s cites what there is not', async (address, named) => {
    const { status, body } = await change(text(`[there](${address})`));
    expect([status, (body as ErrorBody).error.message]).toEqual([
      422,
      `the report cites what there is not: ${named}`,
    ]);
  });

  it('of a new report with NUL in its title is refused', async () => {
    expect((await send('POST', '', { title: '\0' })).status).toBe(422);
    expect((await send('POST', '', { title: 'a\ud800' })).status).toBe(422);
  });
});
