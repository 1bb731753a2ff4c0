import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { checkToken, createToken } from '@/server/workers/registry';
import type { Database } from './database';
import type { ServerEnvironment } from './env';

/** What the data folder says of the server that runs on it. */
export interface ServerFile {
  url: string;
  port: number;
  pid: number;
  databasePort: number | null;
}

/** Written when the server answers, whole or not at all; removed when it stops in order. */
export async function writeServerFile(home: string, content: ServerFile): Promise<void> {
  await writeWhole(join(home, 'server.json'), `${JSON.stringify(content, null, 2)}\n`, 0o644);
}

export async function removeServerFile(home: string): Promise<void> {
  await rm(join(home, 'server.json'), { force: true });
}

/** The token local workers connect with: the one in the folder while the database knows it, else a new one. */
export async function ensureWorkerToken(database: Database, home: string): Promise<string> {
  const path = join(home, 'worker-token');
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (kept !== null && (await checkToken(database, kept.trim()))) return kept.trim();
  const token = await createToken(database, 'local worker');
  await writeWhole(path, `${token}\n`, 0o600);
  return token;
}

async function writeWhole(path: string, content: string, mode: number): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(`${path}.new`, content, { mode });
  await rename(`${path}.new`, path);
}

const RunningServerFile = z.object({ url: z.url() });

/** Where the server answers, or would once it is started. */
export async function siteUrl({ home, host, port }: ServerEnvironment): Promise<string> {
  const text = await readFile(join(home, 'server.json'), 'utf8').catch(() => null);
  return text === null ? `http://${host}:${port}` : RunningServerFile.parse(JSON.parse(text)).url;
}
