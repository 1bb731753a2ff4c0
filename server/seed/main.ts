/** `npm run db:seed`: invented runs for looking at screens, in the database the server uses or would use. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { migrate } from '@/prisma/migrate';
import { closeDatabase, openDatabase } from '../database';
import { readServerEnvironment, type ServerEnvironment } from '../env';
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
    const site = siteUrl(environment);
    for (const { runId, shows } of seeded) console.log(`${site}/runs/${runId}  ${shows}`);
  } finally {
    // One that was there before belongs to a server that runs.
    if (embedded && !embedded.adopted) await embedded.stop();
  }
}

const ServerFile = z.object({ url: z.url() });

/** Where the server answers, or would once it is started. */
function siteUrl({ home, host, port }: ServerEnvironment): string {
  const file = path.join(home, 'server.json');
  if (!existsSync(file)) return `http://${host}:${port}`;
  return ServerFile.parse(JSON.parse(readFileSync(file, 'utf8'))).url;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
