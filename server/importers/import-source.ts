import type pg from 'pg';
import { AppError } from '@/contract/errors';
import type { ImportCounts, ImportFormat, ImportRefusal, SkippedPart } from '@/contract/imports';
import type { BlobStore } from '../blobs/store';
import type { Database } from '../database';
import { safeJson, safeText } from '../ingest/safe-text';
import type { ImportContext, ImportedEvent, Importer, ImportOptions, ImportSource } from './importer';
import { withContentLock } from './content-lock';
import { discardRun, RecordedRun } from './recorded-run';
import { importerOf } from './registry';
import { contentHash } from './source';
import { storeCheckpoint } from './store-checkpoint';
import { NOTHING, surveyOf, type Survey } from './survey';

/** What came of one source. `already`: the same content was imported before, and nothing was stored. */
export interface ImportOutcome {
  state: 'imported' | 'already' | 'refused';
  runId: string | null;
  format: ImportFormat | null;
  counts: ImportCounts;
  skipped: SkippedPart[];
  skippedCount: number;
  refusal: ImportRefusal | null;
}

/** Where imports are stored. */
export interface ImportTarget {
  database: Database;
  blobs: BlobStore;
  /** ms since 1970, for events whose source has no clock. */
  now: number;
}

/**
 * Reads a source wholly, then stores it as one run of kind `import`: what cannot be read whole is refused and stores nothing but
 * its refusal. The same content, named again with the same options, stores nothing. Throws what is no fault of the source.
 */
export async function importSource(
  target: ImportTarget,
  source: ImportSource,
  said: ImportOptions & { name: string; format: ImportFormat | null },
): Promise<ImportOutcome> {
  const hash = await contentHash(source, said);
  // What a checkpoint played or scored is of its step.
  const options = { ...said, step: said.checkpoint?.step ?? said.step };
  return withContentLock(target.database, hash, async () => {
    const before = await earlierImport(target.database, hash);
    if (before) return before;
    let importer: Importer | null = null;
    let survey: Survey;
    try {
      importer = await importerOf(source, options.format);
      survey = await surveyOf(importer, source, options);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return recordRefusal(target, source, hash, importer?.format ?? null, error);
    }
    return store(target, source, importer, survey, options, hash);
  });
}

/** Refuses a source that could not be opened: nothing is stored but the refusal. */
export async function refuseSource(
  target: ImportTarget,
  source: ImportSource,
  said: ImportOptions & { name: string; format: ImportFormat | null },
  error: AppError,
): Promise<ImportOutcome> {
  const hash = await contentHash(source, said);
  return withContentLock(target.database, hash, () => recordRefusal(target, source, hash, null, error));
}

async function recordRefusal(
  { database }: ImportTarget,
  source: ImportSource,
  hash: string,
  format: ImportFormat | null,
  { code, message }: AppError,
): Promise<ImportOutcome> {
  const refusal = { code, message };
  await recordImport(database.pool, source, { format, hash, state: 'refused', refusal });
  return { ...emptyOutcome('refused'), format, refusal };
}

async function store(
  { database, blobs, now }: ImportTarget,
  source: ImportSource,
  importer: Importer,
  survey: Survey,
  options: ImportOptions & { name: string },
  hash: string,
): Promise<ImportOutcome> {
  const { format } = importer;
  const { counts, skipped, skippedCount, facts } = survey;
  const launch = {
    name: options.name,
    kind: 'import',
    recipe: 'import',
    preset: format,
    seed: null,
    config: { ...facts, import: { format, path: source.path, sha256: hash } },
    engine: 'none',
    startedAt: survey.startedAt ?? now,
  } as const;
  let importId = 0;
  // Together: a run that no import names would never be ended where this process is.
  const run = await RecordedRun.open(database, launch, async (client, runId) => {
    importId = await recordImport(client, source, { format, hash, state: 'storing', runId, survey });
  });
  try {
    // Counted and complained of once already.
    const context: ImportContext = { options, facts: {}, skip: () => undefined };
    await storeEvents(run, importer.read(source, context), { blobs, now });
    await database.pool.query(`UPDATE "Import" SET "state" = 'imported' WHERE "id" = $1`, [importId]);
  } catch (error) {
    await run.discard();
    throw error;
  }
  return { state: 'imported', runId: run.runId, format, counts, skipped, skippedCount, refusal: null };
}

/** Says of a run everything that was read, its checkpoints' files put into the store, and ends it. */
export async function storeEvents(
  run: RecordedRun,
  events: AsyncIterable<ImportedEvent>,
  { blobs, now }: Omit<ImportTarget, 'database'>,
): Promise<void> {
  let last: number | null = null;
  for await (const { at, event } of events) {
    // The run begins and ends by the source's clock where it has one.
    if (last === null) await run.begin(at ?? now);
    last = at ?? now;
    const said = event.kind === 'checkpoint:written' ? await storeCheckpoint(blobs, event) : [event];
    for (const each of said) await run.say(last, each);
  }
  await run.finish(last ?? now);
}

function emptyOutcome(state: ImportOutcome['state']): ImportOutcome {
  return { state, runId: null, format: null, counts: NOTHING, skipped: [], skippedCount: 0, refusal: null };
}

interface EarlierRow {
  id: number;
  state: string;
  runId: string | null;
  format: ImportFormat;
  counts: ImportCounts;
  skipped: SkippedPart[];
  skippedCount: number;
}

/** The import of the same content; what a broken one left is taken away first. */
async function earlierImport(database: Database, hash: string): Promise<ImportOutcome | null> {
  const { rows } = await database.pool.query<EarlierRow>(
    `SELECT "id", "state", "runId", "format", "counts", "skipped", "skippedCount" FROM "Import"
     WHERE "contentHash" = $1 AND "state" <> 'refused'`,
    [hash],
  );
  for (const { state, runId } of rows)
    if (state !== 'imported' && runId !== null) await discardRun(database, runId);
  const whole = rows.find(({ state }) => state === 'imported');
  if (!whole) return null;
  const { runId, format, counts, skipped, skippedCount } = whole;
  return { state: 'already', runId, format, counts, skipped, skippedCount, refusal: null };
}

/** @returns the row's id; a source refused before for the same reason keeps its one row */
async function recordImport(
  queryable: Pick<pg.ClientBase, 'query'>,
  source: ImportSource,
  {
    format,
    hash,
    state,
    runId = null,
    survey = null,
    refusal = null,
  }: {
    format: ImportFormat | null;
    hash: string;
    state: 'storing' | 'refused';
    runId?: string | null;
    survey?: Survey | null;
    refusal?: ImportRefusal | null;
  },
): Promise<number> {
  await queryable.query(`DELETE FROM "Import" WHERE "contentHash" = $1 AND "state" = 'refused'`, [hash]);
  const bytes = source.files.reduce((sum, file) => sum + file.bytes, 0);
  const { rows } = await queryable.query<{ id: number }>(
    `INSERT INTO "Import" ("path", "format", "contentHash", "bytes", "state", "runId", "counts", "skipped", "skippedCount",
       "refusal")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING "id"`,
    [
      safeText(source.path),
      format,
      hash,
      bytes,
      state,
      runId,
      JSON.stringify(survey?.counts ?? NOTHING),
      JSON.stringify(safeJson(survey?.skipped ?? [])),
      survey?.skippedCount ?? 0,
      refusal && JSON.stringify(safeJson(refusal)),
    ],
  );
  return rows[0]?.id ?? 0;
}
