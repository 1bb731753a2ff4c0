import { join } from 'node:path';
import { MAX_UPLOADED_CHECKPOINT_BYTES } from '@/contract/version';
import { migrate } from '@/prisma/migrate';
import { BlobStore } from '../blobs/store';
import { closeDatabase, openDatabase } from '../database';
import type { ServerEnvironment } from '../env';
import { siteUrl } from '../home';
import { startEmbeddedPostgres } from '../postgres/embedded';
import type { ImportTarget } from './import-source';

/**
 * Does a command's work on the database that the server uses or would use, which is opened for it and closed behind it.
 * `site`: where the server's pages are, or would be.
 */
export async function withImportTarget<T>(
  environment: ServerEnvironment,
  work: (target: ImportTarget, site: string) => Promise<T>,
): Promise<T> {
  const embedded = environment.databaseUrl === null ? await startEmbeddedPostgres(environment.home) : null;
  const url = environment.databaseUrl ?? embedded?.url ?? '';
  try {
    await migrate(url);
    const database = await openDatabase(url);
    try {
      const blobs = new BlobStore(join(environment.home, 'blobs'), MAX_UPLOADED_CHECKPOINT_BYTES);
      return await work({ database, blobs, now: Date.now() }, await siteUrl(environment));
    } finally {
      await closeDatabase(database);
    }
  } finally {
    // One that was there before belongs to a server that runs.
    if (embedded && !embedded.adopted) await embedded.stop();
  }
}
