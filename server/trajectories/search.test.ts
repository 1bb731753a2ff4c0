import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TrajectoriesQuery } from '@/contract/trajectory-list';
import type { Trajectory, Turn } from '@/contract/trajectory';
import { claimSample, launchSample, sampleTurn, trajectory, type SampleAttempt } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { indexTurns } from './index-turns';
import { listTrajectories } from './list';
import { summarizeTrajectories } from './list-summary';
import { readSearch } from './search';

let database: TestDatabase;
let run: SampleAttempt;
beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('TRUNCATE "Trajectory" CASCADE');
});

/** A trajectory whose turns say nothing but what the test has them say. */
function saying(turns: Partial<Turn>[], changes: Partial<Trajectory> = {}) {
  const silent = { observation: '', reply: '', thought: null, action: '', memory: null };
  return trajectory({
    goal: '',
    strategy: null,
    finalObservation: null,
    turnsCount: turns.length,
    turns: turns.map((turn, index) => sampleTurn(index, { ...silent, ...turn })),
    ...changes,
  });
}

/** Hits of a search as `turn source snippet`. */
async function find(text: string): Promise<string[]> {
  const { trajectories } = await listTrajectories(
    database,
    run.runId,
    TrajectoriesQuery.parse({ text, limit: '100' }),
  );
  return trajectories.map(({ hit }) => (hit ? `${hit.turn} ${hit.source} ${hit.snippet}` : 'no hit'));
}

describe('a search within transcripts', () => {
  it('finds words wherever a turn says them, and names turn and text', async () => {
    await run.say(
      saying([{ observation: 'You see a lamp.' }, { observation: 'You see a Vase.' }]),
      saying([{ reply: 'Thought: the vase is there\nAction: take vase' }]),
      saying([{}, { memory: 'vase in cabinet 2' }]),
      saying([{}], { finalObservation: 'You broke the vase!' }),
      saying([{}], { goal: 'find the vase' }),
      saying([{}], { strategy: 'vase first' }),
      saying([{ thought: 'A vase?', reply: '' }]),
      saying([{ observation: 'nothing' }], { flags: ['vase'] }),
    );
    await indexTurns(database, 100);
    expect((await find('vase')).reverse()).toEqual([
      '1 observation You see a Vase.',
      '0 reply Thought: the vase is there\nAction: take vase',
      '1 memory vase in cabinet 2',
      '1 observation You broke the vase!',
      '0 goal find the vase',
      '0 strategy vase first',
      '0 reply A vase?',
    ]);
  });

  it.each([
    ['red ball', true],
    ['ball red', true],
    ['"red ball"', false],
    ['"blue ball"', true],
    ['blu*', true],
    ['blu', false],
    ['BLUE', true],
    ['go/to', true],
    ['<b>blue</b>', false],
    ["it's", true],
    ['absent', false],
  ])('for %j finds "the red box: it\'s near a blue ball (go to it)": %s', async (text, isFound) => {
    await run.say(saying([{ observation: "the red box: it's near a blue ball (go to it)" }]));
    await indexTurns(database, 100);
    expect(await find(text)).toHaveLength(isFound ? 1 : 0);
  });

  it('asks for all words within one turn', async () => {
    await run.say(saying([{ observation: 'a key' }, { observation: 'a door' }]));
    await indexTurns(database, 100);
    expect(await find('key door')).toEqual([]);
    expect(await find('a door')).toEqual(['1 observation a door']);
  });

  it('reaches texts with NUL, markup, emoji, scripts without spaces and words of any length', async () => {
    await run.say(
      saying([{ observation: 'before\0after' }]),
      saying([{ reply: '<script>alert("kettle")</script>' }]),
      saying([{ reply: '你看到一个红球。😀zebra' }]),
      saying([{ reply: `${'x'.repeat(5000)} giraffe` }]),
    );
    expect(await indexTurns(database, 100)).toBe(4);
    expect(await find('after')).toEqual(['0 observation before\u2400after']);
    expect(await find('kettle')).toEqual(['0 reply <script>alert("kettle")</script>']);
    expect(await find('红球')).toEqual(['0 reply 你看到一个红球。😀zebra']);
    expect(await find('球红')).toHaveLength(0);
    expect(await find('giraffe')).toHaveLength(1);
  });

  it('reaches the end of a text that is too long for one index row, and cuts its snippet', async () => {
    const long = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(' ');
    await run.say(saying([{ observation: `${long} needle end` }]));
    await indexTurns(database, 100);
    const [hit] = await find('needle');
    expect(hit).toMatch(/^0 observation .*needle end$/);
    expect(hit?.length).toBeLessThan(300);
    expect(await find('w59999 needle')).toHaveLength(1);
    expect(await find('"w17000 w17001"')).toHaveLength(1);
  });

  it('says how many turns it does not reach yet', async () => {
    await run.say(saying([{ observation: 'lamp' }, {}]), saying([{ observation: 'lamp' }]));
    const summary = () => summarizeTrajectories(database, run.runId, { text: 'lamp' });
    expect(await summary()).toEqual({ total: 0, isLowerBound: false, unindexedTurns: 3 });
    expect(await indexTurns(database, 1)).toBe(1);
    expect(await summary()).toEqual({ total: 1, isLowerBound: false, unindexedTurns: 1 });
    expect(await indexTurns(database, 1)).toBe(1);
    expect(await indexTurns(database, 1)).toBe(0);
    expect(await summary()).toEqual({ total: 2, isLowerBound: false, unindexedTurns: 0 });
    expect((await summarizeTrajectories(database, 'another', { text: 'lamp' })).total).toBe(0);
  });

  it('is made ready by several indexers at once, each trajectory once', async () => {
    await run.say(...Array.from({ length: 30 }, () => saying([{ observation: 'lamp' }])));
    const taken = await Promise.all(Array.from({ length: 6 }, () => indexTurns(database, 10)));
    let rest = 0;
    for (let more = 1; more > 0; rest += more) more = await indexTurns(database, 10);
    expect(taken.reduce((sum, each) => sum + each, rest)).toBe(30);
    expect(await find('lamp')).toHaveLength(30);
  });

  it('counts no further than its bound, and finds what lies far behind what came last', async () => {
    await run.say(saying([{ observation: 'a needle' }]), saying([{ observation: 'needles' }]));
    await run.say(...Array.from({ length: 1001 }, () => saying([{ observation: 'lamp' }])));
    await indexTurns(database, 2000);
    expect(await find('needle')).toEqual(['0 observation a needle']);
    expect(await find('haystack')).toEqual([]);
    expect(await find('lamp')).toHaveLength(100);
    expect(await summarizeTrajectories(database, run.runId, { text: 'lamp' })).toMatchObject({
      total: 1000,
      isLowerBound: true,
    });
  });

  it.each(['', '  ', '?!', '"*"'])('for %j, which has no word, is refused', async (text) => {
    await expect(find(text)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(() => readSearch(text)).toThrow('has no word');
  });

  it.each(["' | 'x", ':* & !', '\\', '(((', 'a:b & !c <-> d', "''", 'a\\m[b'])(
    'for %j is no query of its own',
    async (text) => {
      await run.say(saying([{ observation: 'x' }]));
      await indexTurns(database, 100);
      await find(text).catch((error: unknown) => expect(error).toMatchObject({ code: 'invalid_input' }));
    },
  );
});
