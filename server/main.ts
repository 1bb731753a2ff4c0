/**
 * The server process: database, REST, sockets and pages on one port. Flags: `--dev` compiles pages as they are
 * asked for, `--no-pages` serves none. Everything else is environment; see `server/env.ts`.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { migrate } from '@/prisma/migrate';
import { closeDatabase, openDatabase } from './database';
import { readServerEnvironment } from './env';
import type { ServerEnvironment } from './env';
import { ensureWorkerToken, removeServerFile, writeServerFile } from './home';
import { preparePages } from './pages';
import { startEmbeddedPostgres } from './postgres/embedded';
import { takeServerLock } from './postgres/server-lock';
import { startServer } from './start';

const PROJECT = resolve(import.meta.dirname, '..');
/** Beyond this a stop is no longer in order: something hangs. */
const STOP_LIMIT_MS = 15_000;

/** Undone in the opposite order, each even where another fails. */
const undo: (() => Promise<void>)[] = [];

async function main(flags: readonly string[]): Promise<void> {
  const unknown = flags.filter((flag) => flag !== '--dev' && flag !== '--no-pages');
  if (unknown.length > 0) throw new Error(`${unknown.join(' ')}: expected --dev or --no-pages`);
  const development = flags.includes('--dev');
  const environment = readServerEnvironment();
  const { home, host } = environment;
  mkdirSync(home, { recursive: true, mode: 0o755 });

  const { database, databaseUrl, databasePort } = await prepareDatabase(environment);
  await ensureWorkerToken(database, home);
  const server = await startServer({
    ...environment,
    database,
    analysisUrl: databaseUrl,
    development,
    preparePages: flags.includes('--no-pages')
      ? null
      : (httpServer, port) =>
          preparePages(httpServer, { directory: PROJECT, hostname: host, port, development }),
  });
  undo.push(() => server.stop());
  await writeServerFile(home, { url: server.url, port: server.port, pid: process.pid, databasePort });
  undo.push(() => removeServerFile(home));
  console.log(`Stepscope serves ${server.url}`);
}

/** Postgres up, locked for this process, migrated and open. A cluster is stopped by whoever holds its lock. */
async function prepareDatabase({ home, databaseUrl }: ServerEnvironment) {
  const embedded = databaseUrl === null ? await startEmbeddedPostgres(home) : null;
  if (embedded?.adopted)
    console.log(`Postgres of an earlier server still ran (process ${embedded.pid}); it is used again`);
  if (embedded && !embedded.adopted) undo.push(() => embedded.stop());
  const url = databaseUrl ?? embedded?.url ?? '';
  const lock = await takeServerLock(url, (error) => {
    console.error(`the database connection that makes this the only server is lost: ${error.message}`);
    void stop(1);
  });
  if (embedded?.adopted) undo.push(() => embedded.stop());
  undo.push(() => lock.release());
  await migrate(url);
  const database = await openDatabase(url);
  undo.push(() => closeDatabase(database));
  return { database, databaseUrl: url, databasePort: embedded?.port ?? null };
}

let stopping = false;

async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => {
    console.error(`the server did not stop within ${STOP_LIMIT_MS / 1000} s`);
    process.exit(1);
  }, STOP_LIMIT_MS).unref();
  let code = exitCode;
  for (const step of undo.reverse()) {
    await step().catch((error: unknown) => {
      console.error('stopping:', error);
      code = 1;
    });
  }
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
process.on('unhandledRejection', (reason) => {
  // A promise nobody waited for must not take every run's dashboard down.
  console.error('unhandled rejection:', reason);
});

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  void stop(1);
});
