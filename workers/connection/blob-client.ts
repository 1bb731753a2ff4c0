import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AppError, codeOfStatus, ERROR_STATUS } from '@/contract/errors';
import type { CheckpointFile } from '@/contract/checkpoint';
import { withDeadline } from '../deadline';

/** What a broken connection costs at most; the rest of a blob goes on from there. */
const PART_BYTES = 4 * 1024 * 1024;
/** An answer that a server at work gives at once; one that died may leave a request without any. */
const ANSWER_LIMIT_MS = 10_000;
/** The slowest line that a part is still sent over. */
const SLOWEST_BYTES_PER_MS = 64;

const Stored = z.object({ storedBytes: z.int().nonnegative(), complete: z.boolean() });
type Stored = z.infer<typeof Stored>;

const RefusedBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Bytes that are uploaded, read a part at a time. */
export interface BlobSource {
  sha256: string;
  size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

/**
 * The server's store of files by sha256, over HTTP. Throws `unavailable` where the same call may succeed later:
 * what a broken upload stored stays, and the next call goes on behind it.
 */
export class BlobClient {
  constructor(
    private readonly serverUrl: string,
    private readonly token: string,
  ) {}

  async put(source: BlobSource, signal: AbortSignal): Promise<void> {
    let stored = await this.stored(source.sha256, signal);
    while (!stored.complete) {
      // All of it may be there and not verified: any part makes the server settle that.
      const offset = stored.storedBytes < source.size ? stored.storedBytes : 0;
      const bytes = await source.read(offset, Math.min(PART_BYTES, source.size - offset));
      stored = await this.putPart(source, offset, bytes, signal);
      if (!stored.complete && stored.storedBytes <= offset)
        throw new AppError('unavailable', `the server stored nothing of blob ${source.sha256}`);
    }
  }

  async putBytes(sha256: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const read = (offset: number, length: number): Promise<Uint8Array> =>
      Promise.resolve(bytes.subarray(offset, offset + length));
    await this.put({ sha256, size: bytes.length, read }, signal);
  }

  /**
   * Writes a blob to `path`; the file has that name only once its bytes hash to what was asked for. Throws
   * `invalid_input` where the server's copy has other bytes.
   */
  async fetch(file: CheckpointFile, path: string, signal: AbortSignal): Promise<void> {
    const response = await this.request(file.sha256, { signal });
    if (!response.body) throw new AppError('unavailable', `blob ${file.sha256} was answered without a body`);
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const partial = `${path}.partial`;
    try {
      // The two declarations of a web stream, the DOM's and Node's, differ in name only.
      const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
      await pipeline(body, hashing, createWriteStream(partial), { signal });
    } catch (error) {
      await rm(partial, { force: true });
      throw new AppError('unavailable', `blob ${file.sha256} broke off`, [], { cause: error });
    }
    const sha256 = hash.digest('hex');
    if (sha256 !== file.sha256) {
      await rm(partial);
      // It came whole, so it would come like this again.
      throw new AppError(
        'invalid_input',
        `${file.path} is damaged on the server: blob ${file.sha256} has bytes that hash to ${sha256}`,
      );
    }
    await rename(partial, path);
  }

  private async stored(sha256: string, signal: AbortSignal): Promise<Stored> {
    const response = await withDeadline(ANSWER_LIMIT_MS, signal, (limited) =>
      this.send(sha256, { method: 'HEAD', signal: limited }),
    );
    if (response.status === ERROR_STATUS.not_found) return { storedBytes: 0, complete: false };
    await refuseUnlessOk(response, sha256);
    return Stored.parse({
      storedBytes: Number(response.headers.get('upload-offset')),
      complete: response.headers.get('upload-complete') === 'true',
    });
  }

  private async putPart(
    { sha256, size }: BlobSource,
    offset: number,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<Stored> {
    const range = `bytes ${offset}-${offset + bytes.length - 1}/${size}`;
    const headers: Record<string, string> = size === 0 ? {} : { 'Content-Range': range };
    const limitMs = ANSWER_LIMIT_MS + bytes.length / SLOWEST_BYTES_PER_MS;
    return withDeadline(limitMs, signal, async (limited) => {
      const response = await this.request(sha256, {
        method: 'PUT',
        headers,
        // A view of a buffer of its own: fetch takes no memory that may be shared.
        body: new Uint8Array(bytes),
        signal: limited,
      });
      return Stored.parse(await response.json());
    });
  }

  private async request(sha256: string, init: RequestInit): Promise<Response> {
    const response = await this.send(sha256, init);
    await refuseUnlessOk(response, sha256);
    return response;
  }

  private async send(sha256: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${this.token}`);
    try {
      return await fetch(`${this.serverUrl}/api/v1/blobs/${sha256}`, { ...init, headers });
    } catch (error) {
      throw new AppError('unavailable', `blob ${sha256}: the server is away`, [], { cause: error });
    }
  }
}

async function refuseUnlessOk(response: Response, sha256: string): Promise<void> {
  if (response.ok) return;
  const text = await response.text().catch(() => '');
  const refused = RefusedBody.safeParse(parseJson(text));
  const message = refused.success ? refused.data.error.message : `HTTP ${response.status}`;
  const code = codeOfStatus(response.status) ?? 'unavailable';
  // A conflict is another upload of the same blob that was faster: the next try sees what it stored.
  // Most of the server's own words name the blob.
  const words = message.includes(sha256) ? message : `blob ${sha256}: ${message}`;
  throw new AppError(code === 'conflict' ? 'unavailable' : code, words);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
