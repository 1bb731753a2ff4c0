/** Reads one uploaded file, in a process of its own: parsing may take long and its text is anybody's. Ends when its parent does. */
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from '@/contract/errors';
import { MAX_UPLOADED_CHECKPOINT_BYTES } from '@/contract/version';
import { BlobStore } from '../blobs/store';
import { closeDatabase, openDatabase } from '../database';
import { importSource, refuseSource, type ImportOutcome, type ImportTarget } from './import-source';
import { ChildRequest } from './child-messages';
import type { ImportSource } from './importer';
import { openSource } from './source';

process.on('disconnect', () => process.exit(1));

process.once('message', (message) => {
  run(ChildRequest.parse(message)).then(
    (outcome) => process.send?.({ outcome }, () => process.exit(0)),
    (error: unknown) =>
      process.send?.({ failure: error instanceof Error ? error.message : String(error) }, () =>
        process.exit(1),
      ),
  );
});

async function run({ databaseUrl, ...request }: ChildRequest): Promise<ImportOutcome> {
  const database = await openDatabase(databaseUrl);
  // A file that was sent alone has no checkpoints beside it: nothing is put into the store.
  const blobs = new BlobStore(path.join(tmpdir(), 'stepscope-no-blobs'), MAX_UPLOADED_CHECKPOINT_BYTES);
  try {
    return await read({ database, blobs, now: Date.now() }, request);
  } finally {
    await closeDatabase(database);
  }
}

async function read(
  target: ImportTarget,
  { file, options }: Omit<ChildRequest, 'databaseUrl'>,
): Promise<ImportOutcome> {
  const { name } = options;
  let source: ImportSource;
  try {
    source = await openSource(file, name);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { size } = await stat(file);
    const closed = { path: name, isFolder: false, files: [{ name, path: file, bytes: size }] };
    return refuseSource(target, closed, options, error);
  }
  return importSource(target, source, options);
}
