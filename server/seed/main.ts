/** `npm run db:seed`: invented runs for looking at screens, in the database the server uses or would use. */
import { migrate } from '@/prisma/migrate';
import { closeDatabase, openDatabase } from '../database';
import { readServerEnvironment } from '../env';
import { siteUrl } from '../home';
import { startEmbeddedPostgres } from '../postgres/embedded';
import { seedRuns } from './runs';

async function main(): Promise<void> {
  const environment = readServerEnvironment();
  const embedded = environment.databaseUrl === null ? await startEmbeddedPostgres(environment.home) : null;
  const url = environment.databaseUrl ?? embedded?.url ?? '';
  try {
    await migrate(url);
    const database = await openDatabase(url);
    const seeded = await seedRuns(database, Date.now()).finally(() => closeDatabase(database));
    const site = await siteUrl(environment);
    for (const { runId, shows } of seeded) console.log(`${site}/runs/${runId}  ${shows}`);
  } finally {
    // One that was there before belongs to a server that runs.
    if (embedded && !embedded.adopted) await embedded.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
