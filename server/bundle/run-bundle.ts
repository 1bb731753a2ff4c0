import { Readable } from 'node:stream';
import yazl from 'yazl';
import type { EvaluationResult } from '@/contract/evaluation';
import type { Database } from '../database';
import { requireRun } from '../runs/queries';
import { bundleReadme } from './readme';
import { attemptRecords, checkpointSummaries, currentEvaluations, taskLists } from './run-records';
import { metricsCsv } from './stored-metrics';

/** All that a run needs to be run again, and what came of it, as a zip archive. Throws `not_found` without such a run. */
export async function runBundle(database: Database, runId: string): Promise<Readable> {
  const detail = await requireRun(database, runId);
  const { run, config } = detail;
  const attempts = await attemptRecords(database, runId);
  const evaluations = await currentEvaluations(database, runId);
  const files: Record<string, unknown> = {
    'run.json': { name: run.name, recipe: run.recipe, preset: run.preset, config },
    'attempts.json': attempts,
    'environment.json': environmentsOf(evaluations),
    'seeds.json': { run: run.seed, evaluations: distinct(evaluations.map(({ seed }) => seed)) },
    'evaluations.json': evaluations,
    'checkpoints.json': await checkpointSummaries(database, runId),
  };
  for (const list of await taskLists(database, runId, evaluations)) files[`tasks/${list.split}.json`] = list;

  const zip = new yazl.ZipFile();
  // Equal bundles are equal bytes: the time of an entry says nothing.
  const options = { mtime: new Date(run.createdAt) };
  const add = (path: string, text: string): void => zip.addBuffer(Buffer.from(text), path, options);
  add('README.md', bundleReadme(detail, attempts));
  for (const [path, value] of Object.entries(files)) add(path, `${JSON.stringify(value, null, 2)}\n`);
  const metrics = Readable.from(metricsCsv(database, runId));
  zip.addReadStream(metrics, 'metrics.csv', options);
  zip.end();
  const archive = new Readable().wrap(zip.outputStream);
  // What fails while the archive is under way breaks it off: half a file would look like a whole one.
  metrics.on('error', (error) => archive.destroy(error));
  return archive;
}

/** Environments and scaffolds that the evaluations state, each once. */
function environmentsOf(evaluations: readonly EvaluationResult[]): object[] {
  return distinct(
    evaluations.map(({ environment, environmentVersion, environmentOptions, scaffold, maxTurns }) => ({
      environment,
      environmentVersion,
      environmentOptions,
      scaffold,
      maxTurns,
    })),
  );
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
