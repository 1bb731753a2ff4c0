import { fork } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AppError } from '@/contract/errors';
import type { ChildAnswer, ChildRequest } from './child-messages';
import type { ImportOutcome } from './import-source';

const ENTRY = fileURLToPath(new URL('./child.ts', import.meta.url));
const TYPESCRIPT = ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];
/** The loader reads import aliases from the tsconfig.json there. */
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** Of one file that is sent; larger ones are read by `npm run import`. */
const MAX_UPLOAD_BYTES = 512 * 1024 * 1024;
const MAX_NAME_LENGTH = 200;

/**
 * Imports one file that is sent, in a process of its own; the file is gone afterwards. Throws `too_large`, and `invalid_input` where
 * the name is no file's name.
 */
export async function importUpload(
  databaseUrl: string,
  name: string,
  body: AsyncIterable<Uint8Array>,
  options: Omit<ChildRequest['options'], 'name'>,
): Promise<ImportOutcome> {
  if (!/^[^/\\\0]+$/.test(name) || /^\.+$/.test(name) || name.length > MAX_NAME_LENGTH)
    throw new AppError(
      'invalid_input',
      `the name is ${JSON.stringify(name)}, expected that of a file, without a folder`,
    );
  const folder = await mkdtemp(path.join(tmpdir(), 'stepscope-upload-'));
  try {
    const file = path.join(folder, storedName(name));
    await pipeline(Readable.from(bounded(body)), createWriteStream(file));
    return await inChild({ databaseUrl, file, options: { ...options, name } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A name that any file system takes; its ending says what the file is. */
function storedName(name: string): string {
  const ending = path.extname(name);
  return /^\.[A-Za-z0-9]{1,20}$/.test(ending) ? `upload${ending}` : 'upload';
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_UPLOAD_BYTES)
      throw new AppError(
        'too_large',
        `the file has more than ${MAX_UPLOAD_BYTES} bytes: read it by npm run import`,
      );
    yield chunk;
  }
}

function inChild(request: ChildRequest): Promise<ImportOutcome> {
  const child = fork(ENTRY, [], {
    cwd: REPOSITORY,
    execArgv: TYPESCRIPT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      // Sent by child.ts of this very build.
      const answer = message as ChildAnswer;
      if ('outcome' in answer) resolve(answer.outcome);
      else reject(new AppError('internal', `the import broke off: ${answer.failure}`));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new AppError('internal', `the import's process ended early (${signal ?? `exit code ${code}`})`)),
    );
    child.send(request);
  });
}
