import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunsQuery } from '@/contract/run-list';
import { TrajectoriesQuery } from '@/contract/trajectory-list';
import { BlobStore } from '../blobs/store';
import { listCapabilities } from '../capabilities/queries';
import { readComparison } from '../compare/queries';
import { listEvaluations } from '../evaluations/queries';
import { listRuns } from '../runs/list';
import { requireRun } from '../runs/queries';
import { listSeries, readSeries } from '../runs/series';
import { findRunsNamed } from '../seed/find-runs';
import { headlineLinks, seedPublished } from '../seed/published';
import { listTrajectories } from '../trajectories/list';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { importAll } from './import-all';
import { importPath, type PathOptions } from './import-paths';
import type { ImportTarget } from './import-source';
import { DEFAULT_OPTIONS } from './importer';
import { listImports } from './queries';
import { RecordedRun } from './recorded-run';
import { fileOf } from './testing/read-source';

const LOGS = path.resolve(process.env.STEPSCOPE_DATA ?? '../shared/data', 'logs');
const PUBLISHED = path.resolve(LOGS, '../../published');
const OPTIONS: PathOptions = { ...DEFAULT_OPTIONS, name: null, format: null };

let database: TestDatabase;
let target: ImportTarget;
beforeAll(async () => {
  database = await openTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'stepscope-blobs-'));
  target = { database, blobs: new BlobStore(folder, 10_000_000), now: 1_700_000_000_000 };
});
afterAll(() => database.close());

async function importOne(named: string, options: Partial<PathOptions> = {}) {
  for await (const { outcome } of importPath(target, named, { ...OPTIONS, ...options })) return outcome;
  throw new Error(`${named} gave no outcome`);
}

describe('an import', () => {
  it('is a finished run of kind import whose points keep their names and values', async () => {
    const table = await fileOf('metrics.csv', 'step,成功率 @ 50%/ß,b/c\n0,nan,1\n7,0.5,-inf\n');
    const { state, runId } = await importOne(table, { name: 'a table' });
    expect(state).toBe('imported');
    const { run, view, config } = await requireRun(database, runId ?? '');
    expect(run).toMatchObject({ kind: 'import', status: 'finished', step: 7, steps: 7, name: 'a table' });
    expect(view.latest['b/c']).toEqual({ step: 7, value: '-Infinity' });
    expect(config).toMatchObject({ import: { format: 'verl-csv' } });
    expect((await listSeries(database, run.id)).map(({ name }) => name)).toEqual(['b/c', '成功率 @ 50%/ß']);
    const [curve] = await readSeries(database, run.id, { name: ['成功率 @ 50%/ß'], buckets: 100 });
    expect(curve?.buckets.map(({ count, nonFinite, last }) => [count, nonFinite, last])).toEqual([
      [0, 1, null],
      [1, 0, 0.5],
    ]);
  });

  it('of the same content is found, not stored again; of other options it is another one', async () => {
    const text = 'step,a/b\n1,2\n';
    const first = await importOne(await fileOf('metrics.csv', text), { name: 'once' });
    const again = await importOne(await fileOf('metrics.csv', text), { name: 'once' });
    expect(again).toMatchObject({ state: 'already', runId: first.runId, counts: { points: 1 } });
    const other = await importOne(await fileOf('metrics.csv', text), { name: 'twice' });
    expect(other.state).toBe('imported');
  });

  it('that is refused leaves its reason and nothing else', async () => {
    const before = await findRunsNamed(database, '');
    const table = await fileOf('bad.csv', `step,a/b\n${'1,2\n'.repeat(3000)}1\n`);
    const outcome = await importOne(table);
    expect(outcome).toMatchObject({ state: 'refused', runId: null });
    expect(outcome.refusal?.message).toBe('bad.csv:3002: 1 cells, expected 2 as in line 1');
    expect(await findRunsNamed(database, '')).toEqual(before);
    const [row] = await listImports(database);
    expect(row).toMatchObject({ state: 'refused', path: table, format: 'verl-csv' });
    await importOne(table);
    expect((await listImports(database)).filter(({ path: named }) => named === table)).toHaveLength(1);
  });

  it('of a time that no date can tell is refused with it', async () => {
    const results = { results: { ifeval: { 'prompt_level_strict_acc,none': 0.5 } }, date: 1e300 };
    const file = await fileOf('results_2.json', JSON.stringify(results));
    expect((await importOne(file)).refusal?.message).toBe(
      'results_2.json: its time is 1e+303, expected ms since 1970 from 0 to 8640000000000000',
    );
  });

  it('of a step that no column holds is refused by what reads the whole, whatever its format', async () => {
    const wide = { kind: 'points:measured', step: 99999999999, points: [{ name: 'a/b', value: 1 }] };
    const events = await fileOf('events.jsonl', `${JSON.stringify({ at: 5, event: wide })}\n`);
    expect((await importOne(events)).refusal?.message).toBe(
      'events.jsonl:1: step is 99999999999, expected a whole number from 0 to 2147483647',
    );
  });

  it('that broke off in the middle is taken away by the next one of the same content', async () => {
    const text = 'step,a/b\n4,2\n';
    const first = await importOne(await fileOf('metrics.csv', text), { name: 'broken' });
    await database.pool.query(`UPDATE "Import" SET "state" = 'storing' WHERE "runId" = $1`, [first.runId]);
    const again = await importOne(await fileOf('metrics.csv', text), { name: 'broken' });
    expect(again.state).toBe('imported');
    const broken = await findRunsNamed(database, 'broken');
    expect(broken.map(({ id }) => id)).toEqual([again.runId]);
  });

  it('keeps text that no column holds as a mark', async () => {
    const line = { item_id: 'babyai_1\u0000', reward: 1, conversations: [] };
    const outcome = await importOne(await fileOf('t.jsonl', `${JSON.stringify(line)}\n`), {
      format: 'agentgym-trajectories',
    });
    expect(outcome).toMatchObject({ state: 'imported', counts: { trajectories: 1 } });
  });

  it('states no seed and no tokens where its source does not', async () => {
    const line = { item_id: 'w_1', reward: 1, success: 1, conversations: [] };
    const { runId } = await importOne(await fileOf('untold.jsonl', `${JSON.stringify(line)}\n`), {
      format: 'agentgym-trajectories',
    });
    expect((await requireRun(database, runId ?? '')).run.seed).toBeNull();
    const found = await listRuns(database, RunsQuery.parse({ text: 'untold' }));
    expect(found.map(({ id, seed }) => [id, seed])).toEqual([[runId, null]]);
    const named = await listRuns(database, RunsQuery.parse({ text: 'untold seed' }));
    expect(named).toEqual([]);

    const listed = (asked: object) =>
      listTrajectories(database, runId, TrajectoriesQuery.parse({ order: 'tokens', ...asked }));
    expect((await listed({})).trajectories).toMatchObject([
      { seed: null, promptTokens: null, replyTokens: null },
    ]);
    expect((await listed({ maxTokens: '5' })).trajectories).toEqual([]);
  });

  it('without tokens comes last in the order of tokens, page by page', async () => {
    const lines = ['w_1', 'w_2', 'w_3'].map((item) =>
      JSON.stringify({ item_id: item, reward: 1, conversations: [] }),
    );
    const { runId } = await importOne(await fileOf('three.jsonl', `${lines.join('\n')}\n`), {
      format: 'agentgym-trajectories',
    });
    await database.pool.query(
      `UPDATE "Trajectory" SET "replyTokens" = 0 WHERE "runId" = $1 AND "taskId" = 'w_2'`,
      [runId],
    );
    const tasks: string[] = [];
    let after: string | undefined;
    do {
      const query = TrajectoriesQuery.parse({ order: 'tokens', limit: '1', after });
      const page = await listTrajectories(database, runId, query);
      tasks.push(...page.trajectories.map(({ taskId }) => taskId));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(tasks).toEqual(['w_2', 'w_3', 'w_1']);
  });

  it('of plays is compared at the step of the checkpoint that played them', async () => {
    const line = (id: string, success: number) =>
      JSON.stringify({ item_id: `textcraft_${id}`, conversations: [], reward: success, success });
    const file = await fileOf('played.jsonl', `${line('1', 1)}\n${line('2', 0)}\n`);
    const trained = await importOne(await fileOf('m.csv', 'step,a\n40,1\n'));
    const checkpoint = { runId: trained.runId ?? '', step: 40 };
    const { runId } = await importOne(file, { checkpoint, format: 'agentgym-trajectories' });
    const { checkpoints } = await readComparison(database, [checkpoint, { ...checkpoint, step: 0 }]);
    expect(checkpoints.map(({ evaluations }) => evaluations.map((each) => each.runId))).toEqual([
      [runId],
      [],
    ]);
    expect(checkpoints[0]?.evaluations[0]?.evaluation).toMatchObject({ step: 40, n: 2, successes: 1 });
  });

  it('of capability scores stands with the run whose checkpoint they are of', async () => {
    const trained = await importOne(await fileOf('metrics.csv', 'step,a/b\n7,1\n'), { name: 'trained' });
    const results = { results: { ifeval: { 'prompt_level_strict_acc,none': 0.5 } }, model_name: 'tuned' };
    const file = await fileOf('results_1.json', JSON.stringify(results));
    const checkpoint = { runId: trained.runId ?? '', step: 7 };
    const scored = await importOne(file, { checkpoint });
    const capabilities = await listCapabilities(database, checkpoint.runId);
    expect(
      capabilities.map(({ runId, result }) => [runId, result.step, result.model, result.isBase]),
    ).toEqual([[scored.runId, 7, 'tuned', false]]);
    expect(await listCapabilities(database, scored.runId ?? '')).toEqual(capabilities);
  });

  it('is never handed to a worker', async () => {
    const run = await RecordedRun.open(database, {
      name: 'open',
      kind: 'import',
      recipe: 'import',
      preset: 'verl-csv',
      seed: 0,
      config: {},
      engine: 'none',
      startedAt: 1_700_000_000_000,
    });
    expect((await requireRun(database, run.runId)).run.status).toBe('starting');
  });
});

describe('several paths', () => {
  it('are all read, whichever of them is not there', async () => {
    const good = await fileOf('good.csv', 'step,a/b\n3,2\n');
    const bad = await fileOf('bad.csv', 'step,a/b\n3\n');
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const paths = ['/nonexistent', bad, good];
    expect(await importAll(target, paths, OPTIONS, { site: 'http://site', print })).toEqual([
      '/nonexistent',
      bad,
    ]);
    expect(lines[0]).toBe('refused   /nonexistent: /nonexistent is not there');
    expect(lines[1]).toContain('bad.csv:2: 1 cells, expected 2');
    expect(lines[2]).toMatch(/^imported {2}.*good\.csv: verl-csv, 1 points {2}http:\/\/site\/runs\/r-/);
  });
});

describe.skipIf(!existsSync(LOGS))('a folder of the field’s logs (STEPSCOPE_DATA)', () => {
  it('is read file by file, what is no log refused by name', async () => {
    const outcomes: Record<string, string> = {};
    for await (const { source, outcome } of importPath(target, LOGS, OPTIONS))
      outcomes[path.basename(source)] = `${outcome.state} ${outcome.format}`;
    expect(outcomes).toEqual({
      'SOURCES.txt': 'refused null',
      'prompt_samples.txt': 'refused null',
      'agentgym_babyai_trajectories.jsonl': 'imported agentgym-trajectories',
      'agentgym_executor_log.json': 'imported agentgym-executor',
      'alfworld_grpo_telemetry.csv': 'imported verl-csv',
      'inspect_small.eval': 'imported inspect',
      'inspect_small.json': 'imported inspect',
      'inspect_tool_call_error.json': 'imported inspect',
      'verl_alfworld_grpo.csv': 'imported verl-csv',
      'verl_babyai_dapo.csv': 'imported verl-csv',
      'verl_console_babyai.log': 'imported verl-console',
    });
  });
});

describe.skipIf(!existsSync(PUBLISHED))('the published runs (STEPSCOPE_DATA/../published)', () => {
  it('are seeded once, with a comparison of each headline', async () => {
    const first = await seedPublished(target, PUBLISHED);
    expect(first.missing).toEqual([]);
    expect(first.runs.size).toBe(10);
    expect((await seedPublished(target, PUBLISHED)).runs).toEqual(first.runs);
    expect(headlineLinks(first).map(({ address }) => address.split('&').length)).toEqual([2, 2, 3, 2]);
    const final = await listEvaluations(database, first.runs.get('strata-alfworld.txt final') ?? '');
    expect(final.map(({ current, evaluation }) => [current, evaluation.seed, evaluation.successes])).toEqual([
      [true, 1, 123],
      [true, 2, 120],
    ]);
  });

  it('are left out by name where their texts are not there', async () => {
    const { runs, missing } = await seedPublished(target, '/nowhere');
    expect([runs.size, missing.length]).toEqual([0, 10]);
  });
});
