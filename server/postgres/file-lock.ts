import { open, readFile, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@/contract/errors';

const POLL_MS = 50;
const WAIT_MS = 60_000;

/**
 * Runs `work` while no other process that asks for the same file does; the file names its holder. A lock whose
 * holder has died is taken over. Throws `conflict` after a minute.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await acquire(file);
  try {
    return await work();
  } finally {
    await unlink(file).catch(() => undefined);
  }
}

async function acquire(file: string): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    if (await tryCreate(file)) return;
    const holder = await readHolder(file);
    if (holder !== null && !isAlive(holder)) await unlink(file).catch(() => undefined);
    else await sleep(POLL_MS);
  }
  throw new AppError('conflict', `${file} is held by process ${await readHolder(file)} for over a minute`);
}

async function tryCreate(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Null where the file is gone or its holder has yet to write into it. */
async function readHolder(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number(text) || null;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
