/**
 * `npm run db:seed`: runs for looking at screens, in the database that the server uses or would use: published runs from their
 * texts, two small ones trained here, and an invented one for each status. What is there already is not made again.
 */
import { join, resolve } from 'node:path';
import { MAX_UPLOADED_CHECKPOINT_BYTES } from '@/contract/version';
import { migrate } from '@/prisma/migrate';
import { BlobStore } from '../blobs/store';
import { closeDatabase, openDatabase } from '../database';
import { readServerEnvironment } from '../env';
import { siteUrl } from '../home';
import { startEmbeddedPostgres } from '../postgres/embedded';
import { seedAll } from './seed-all';

async function main(): Promise<void> {
  const environment = readServerEnvironment();
  const embedded = environment.databaseUrl === null ? await startEmbeddedPostgres(environment.home) : null;
  const url = environment.databaseUrl ?? embedded?.url ?? '';
  try {
    await migrate(url);
    const database = await openDatabase(url);
    const blobs = new BlobStore(join(environment.home, 'blobs'), MAX_UPLOADED_CHECKPOINT_BYTES);
    const site = await siteUrl(environment);
    try {
      const links = await seedAll(
        { database, blobs, now: Date.now() },
        environment.home,
        resolve(environment.dataFolder, '../published'),
        (line) => console.log(line),
      );
      for (const { address, shows } of links) console.log(`${site}${address}  ${shows}`);
    } finally {
      await closeDatabase(database);
    }
  } finally {
    // One that was there before belongs to a server that runs.
    if (embedded && !embedded.adopted) await embedded.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
