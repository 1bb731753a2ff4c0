/** Reads one uploaded file, in a process of its own: parsing may take long and its text is anybody's. Ends when its parent does. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MAX_UPLOADED_CHECKPOINT_BYTES } from '@/contract/version';
import { BlobStore } from '../blobs/store';
import { closeDatabase, openDatabase } from '../database';
import { importSource, type ImportOutcome } from './import-source';
import { ChildRequest } from './child-messages';
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

async function run({ databaseUrl, file, options }: ChildRequest): Promise<ImportOutcome> {
  const database = await openDatabase(databaseUrl);
  // A file that was sent alone has no checkpoints beside it: nothing is put into the store.
  const blobs = new BlobStore(path.join(tmpdir(), 'stepscope-no-blobs'), MAX_UPLOADED_CHECKPOINT_BYTES);
  try {
    const { files, isFolder } = await openSource(file);
    const { name } = options;
    const source = { path: name, isFolder, files: files.map((each) => ({ ...each, name })) };
    return await importSource({ database, blobs, now: Date.now() }, source, options);
  } finally {
    await closeDatabase(database);
  }
}
