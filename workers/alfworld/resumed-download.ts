import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AppError } from '@/contract/errors';

export interface Download {
  url: string;
  /** Where the whole file ends up; until then it grows in `PATH.part`. */
  path: string;
  /** SHA-256 that the file must have, in hexadecimal; null where none is known. */
  sha256: string | null;
  /** Called as bytes arrive; `total` is null where the server does not say. */
  onProgress: (received: number, total: number | null) => void;
  signal: AbortSignal;
}

/**
 * Downloads a file, going on where an earlier download of the same version was cut, and answers its SHA-256. The version
 * is the server's ETag, or its Last-Modified; without either the download starts anew. Throws `unavailable` where the
 * server cannot be reached, refuses, or cuts the connection, what has come is kept; and `conflict`, what has come deleted,
 * where the checksum is another.
 */
export async function downloadFile(download: Download): Promise<string> {
  const { url, path, sha256 } = download;
  const part = `${path}.part`;
  const expected = await receive(download, part);
  const received = statSync(part).size;
  if (expected !== null && received < expected) {
    throw new AppError(
      'unavailable',
      `${url} was cut off at ${received} of ${expected} bytes; again goes on from there`,
    );
  }
  const found = await hashFile(part);
  if (sha256 !== null && found !== sha256) {
    forget(part);
    throw new AppError(
      'conflict',
      `${url} has the SHA-256 ${found}, expected ${sha256}; what had come is deleted`,
    );
  }
  renameSync(part, path);
  forget(part);
  return found;
}

/** SHA-256 of a file, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Appends to the part what is missing of it; answers the size of the whole, null where the server does not say. */
async function receive({ url, onProgress, signal }: Download, part: string): Promise<number | null> {
  const version = await versionOf(part);
  const have = version === null ? 0 : statSync(part).size;
  const response = await request(url, have > 0 && version !== null ? { from: have, version } : null, signal);
  if (response.status === 416) {
    // All of it had come before; or the file has changed, which the checksum or a new start will show.
    const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? NaN);
    if (total === have) return total;
    forget(part);
    throw new AppError('unavailable', `${url} has changed since its download was cut; again starts anew`);
  }
  if (!response.ok || !response.body) {
    throw new AppError('unavailable', `${url} answered ${response.status} ${response.statusText}`);
  }
  const start = response.status === 206 ? have : 0;
  const length = response.headers.get('content-length');
  const total = length === null ? null : start + Number(length);
  await writeVersion(part, response.headers.get('etag') ?? response.headers.get('last-modified'));
  let received = start;
  // A piped stream drops what it has not written when its source breaks; here each chunk is on disk before the next.
  const file = await open(part, start > 0 ? 'a' : 'w');
  try {
    // Web streams have one type in Node and another in the browser's library.
    for await (const chunk of Readable.fromWeb(response.body as ReadableStream, { signal })) {
      const bytes = chunk as Uint8Array;
      await file.writeFile(bytes);
      onProgress((received += bytes.length), total);
    }
  } catch (cause) {
    if (signal.aborted) throw cause;
    const of = total === null ? '' : ` of ${total}`;
    const message = `${url} was cut off at ${received}${of} bytes; again goes on from there`;
    throw new AppError('unavailable', message, [], { cause });
  } finally {
    await file.close();
  }
  return total;
}

async function request(
  url: string,
  resume: { from: number; version: string } | null,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (resume) {
    headers.range = `bytes=${resume.from}-`;
    headers['if-range'] = resume.version;
  }
  try {
    return await fetch(url, { headers, signal });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new AppError('unavailable', `${url} cannot be reached: ${reasonOf(cause)}`, [], { cause });
  }
}

/** What the network said: fetch hides it in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return cause.errors.map((each) => reasonOf(each)).join('; ');
  return cause instanceof Error ? cause.message : error.message;
}

/** The version that a part is of; null where there is no part, or it is not known of what. */
async function versionOf(part: string): Promise<string | null> {
  if (!existsSync(part) || !existsSync(`${part}.version`)) return null;
  return await readFile(`${part}.version`, 'utf8');
}

async function writeVersion(part: string, version: string | null): Promise<void> {
  // A weak ETag names no bytes to go on from.
  if (version === null || version.startsWith('W/')) rmSync(`${part}.version`, { force: true });
  else await writeFile(`${part}.version`, version);
}

function forget(part: string): void {
  rmSync(part, { force: true });
  rmSync(`${part}.version`, { force: true });
}
