import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { CodeVersion } from '@/contract/code-version';
import { evaluationKey, EvaluationResult } from '@/contract/evaluation';
import { prepareRun } from '@/rl/recipes/registry';
import { openTestDatabase, type TestDatabase } from '@/server/testing/test-database';
import { unzip } from './alfworld/zip';
import { createEngine } from './engines/engine';
import { localContext } from './run/local-context';
import { Deployment } from './testing/deployment';
import { parseTrainOptions } from './train/options';
import { RunRecord } from './train/record';

let database: TestDatabase;
let deployment: Deployment;
let bundle: string;
let runId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  deployment = await Deployment.open({ databaseUrl: database.url, leaseMs: 5000, env: process.env });
  const sizes = [{ split: 'valid_seen' as const, tasks: 3 }];
  const { evaluation: settings } = GRPO_PRESETS.verify;
  const evaluation = { ...settings, controls: false, everySteps: 1, splits: sizes, finalSplits: sizes };
  runId = await deployment.launch('to be run again', { steps: 2, evaluation });
  deployment.startWorker('one');
  await deployment.reachesStatus(runId, 'finished');
  const answer = await fetch(`${deployment.url}/api/v1/runs/${runId}/bundle`);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  const archive = join(deployment.root, 'bundle.zip');
  writeFileSync(archive, Buffer.from(await answer.arrayBuffer()));
  bundle = join(deployment.root, 'bundle');
  unzip(archive, bundle, () => undefined);
});
afterAll(async () => {
  await deployment?.killWorkers();
  await deployment?.close();
  await database?.close();
});

function read<Value>(path: string, schema: z.ZodType<Value>): Value {
  return schema.parse(JSON.parse(readFileSync(join(bundle, path), 'utf8')));
}

/** Rows without what measures time. */
const rowsOf = (csv: string) => csv.split('\n').filter((row) => !row.split(',')[1]?.startsWith('time/'));

const withoutTimes = (evaluations: readonly EvaluationResult[]) =>
  new Map(evaluations.map((each) => [evaluationKey(each), { ...each, seconds: null }]));

describe('the bundle of a run', () => {
  it('runs again by its own config, and measures the same but times', async () => {
    const out = join(deployment.root, 'again');
    const options = parseTrainOptions(['--config', join(bundle, 'run.json'), '--out', out], deployment.root);
    const { config, events } = prepareRun(options.recipe, options.config);
    const engine = await createEngine({ ...config.engine, seed: config.seed });
    const record = new RunRecord(options.outDir);
    const results: EvaluationResult[] = [];
    try {
      const context = localContext(engine, (step) => record.checkpointDir(step));
      for await (const event of events(context)) {
        record.write(event, 0);
        if (event.kind === 'evaluation:finished') results.push(event.evaluation);
      }
    } finally {
      record.close();
      await engine.close();
    }
    const again = rowsOf(readFileSync(join(out, 'metrics.csv'), 'utf8'));
    expect(again.length).toBeGreaterThan(20);
    expect(again.sort()).toEqual(rowsOf(readFileSync(join(bundle, 'metrics.csv'), 'utf8')).sort());
    const told = read('evaluations.json', z.array(EvaluationResult));
    expect(told).toHaveLength(6);
    expect(withoutTimes(results)).toEqual(withoutTimes(told));
  });

  it('names the code, the tasks with their hash, the seeds and every checkpoint by hash', () => {
    const [attempt] = read('attempts.json', z.array(z.object({ code: CodeVersion })));
    expect(attempt?.code.version).not.toBe('');
    const list = read(
      'tasks/valid_seen.json',
      z.object({ splitHashes: z.array(z.string()).min(1), tasks: z.array(z.object({ taskId: z.string() })) }),
    );
    expect(list.tasks).toHaveLength(3);
    expect(read('seeds.json', z.object({ run: z.int() })).run).toBe(1);
    const [checkpoint] = read(
      'checkpoints.json',
      z.array(z.object({ files: z.array(z.object({ sha256: z.string() })) })),
    );
    expect(checkpoint?.files.map(({ sha256 }) => sha256.length)).toContain(64);
    const readme = readFileSync(join(bundle, 'README.md'), 'utf8');
    expect(readme).toContain('npm run train -- --config run.json --out again');
    expect(readme).toContain(`# Run ${runId}`);
  });

  it('of no run is not found', async () => {
    const answer = await fetch(`${deployment.url}/api/v1/runs/r-9999/bundle`);
    expect(answer.status).toBe(404);
  });
});
