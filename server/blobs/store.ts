import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Sha256 } from '@/contract/checkpoint';
import { AppError } from '@/contract/errors';

/** How much of a blob is on disk, in bytes. Only a complete one has had its hash verified. */
export interface BlobState {
  storedBytes: number;
  complete: boolean;
}

/** A part of a blob: the bytes from `offset` on, of `totalBytes` in all. */
export interface BlobPart {
  offset: number;
  totalBytes: number;
  body: AsyncIterable<Uint8Array>;
}

/**
 * Files named by their sha256 under one folder: whole ones in `ab/abcd...`, unfinished ones in `partial/`. A
 * file is moved to its name only after its bytes hash to it, so whatever `open` gives is what was cited.
 */
export class BlobStore {
  /** Tail of the writes of each blob: they take turns, so that two uploads of one blob cannot interleave. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  /** Null where nothing of the blob is stored. */
  async state(sha256: string): Promise<BlobState | null> {
    const whole = await sizeOf(this.wholePath(sha256));
    if (whole !== null) return { storedBytes: whole, complete: true };
    const partial = await sizeOf(this.partialPath(sha256));
    return partial === null ? null : { storedBytes: partial, complete: false };
  }

  /** Whether the blob is whole and verified. */
  async has(sha256: string): Promise<boolean> {
    return (await this.state(sha256))?.complete ?? false;
  }

  /** A whole blob as a stream; `not_found` for anything less. The caller ends the stream. */
  async open(sha256: string): Promise<{ sizeBytes: number; stream: ReadStream }> {
    const path = this.wholePath(sha256);
    const sizeBytes = await sizeOf(path);
    if (sizeBytes === null) throw new AppError('not_found', `blob ${sha256} is not stored`);
    return { sizeBytes, stream: createReadStream(path) };
  }

  /** A whole blob in memory; `too_large` beyond `limitBytes`. */
  async read(sha256: string, limitBytes: number): Promise<Buffer> {
    const { sizeBytes, stream } = await this.open(sha256);
    if (sizeBytes > limitBytes) {
      stream.destroy();
      throw new AppError(
        'too_large',
        `blob ${sha256} has ${sizeBytes} bytes, at most ${limitBytes} are read`,
      );
    }
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /**
   * Appends a part; with the last byte the file is verified and counts. A part that does not start where the
   * stored bytes end is a `conflict`; a whole file with another hash is deleted and `invalid_input`. What came
   * before a broken connection stays, so that the sender goes on from `state`.
   */
  async append(sha256: string, part: BlobPart): Promise<BlobState> {
    if (part.totalBytes > this.maxBytes)
      throw new AppError('too_large', `a blob has at most ${this.maxBytes} bytes, not ${part.totalBytes}`);
    return this.inTurn(sha256, async () => {
      const before = await this.settled(sha256, part.totalBytes);
      if (before?.complete) return before;
      const storedBytes = before?.storedBytes ?? 0;
      if (part.offset !== storedBytes)
        throw new AppError(
          'conflict',
          `${storedBytes} bytes of blob ${sha256} are stored: the next part starts there, not at ${part.offset}`,
        );
      const nowStored = await this.write(sha256, part);
      if (nowStored < part.totalBytes) return { storedBytes: nowStored, complete: false };
      const actual = await this.finish(sha256);
      if (actual !== sha256)
        throw new AppError('invalid_input', `the bytes of blob ${sha256} hash to ${actual}; send them again`);
      return { storedBytes: nowStored, complete: true };
    });
  }

  /** Deletes unfinished uploads that nobody has touched for `olderThanMs`; answers how many. */
  async removeStalePartials(olderThanMs: number): Promise<number> {
    const names = await readdir(join(this.folder, 'partial')).catch(() => []);
    let removed = 0;
    for (const name of names.filter((name) => Sha256.safeParse(name).success)) {
      await this.inTurn(name, async () => {
        const path = this.partialPath(name);
        const found = await stat(path).catch(() => null);
        if (!found || Date.now() - found.mtimeMs < olderThanMs) return;
        await rm(path, { force: true });
        removed++;
      });
    }
    return removed;
  }

  /**
   * The state to go on from. A server killed between the last byte and the verified name left all of it unfinished:
   * that is finished now, or deleted where its bytes are others.
   */
  private async settled(sha256: string, totalBytes: number): Promise<BlobState | null> {
    const found = await this.state(sha256);
    if (!found || found.complete || found.storedBytes < totalBytes) return found;
    return (await this.finish(sha256)) === sha256 ? { ...found, complete: true } : null;
  }

  private async write(sha256: string, part: BlobPart): Promise<number> {
    await mkdir(join(this.folder, 'partial'), { recursive: true });
    const file = await open(this.partialPath(sha256), 'a');
    let storedBytes = part.offset;
    try {
      for await (const chunk of part.body) {
        if (storedBytes + chunk.byteLength > part.totalBytes)
          throw new AppError(
            'invalid_input',
            `blob ${sha256} is longer than the ${part.totalBytes} bytes announced`,
          );
        await file.writeFile(chunk);
        storedBytes += chunk.byteLength;
      }
      await file.sync();
    } catch (error) {
      throw explainBrokenWrite(error, sha256, storedBytes);
    } finally {
      await file.close();
    }
    return storedBytes;
  }

  /** Gives the file its name where its bytes hash to it, deletes it otherwise; answers the hash. */
  private async finish(sha256: string): Promise<string> {
    const partial = this.partialPath(sha256);
    const actual = await hashFile(partial);
    if (actual === sha256) {
      await mkdir(join(this.folder, sha256.slice(0, 2)), { recursive: true });
      await rename(partial, this.wholePath(sha256));
    } else await rm(partial, { force: true });
    return actual;
  }

  private async inTurn<T>(sha256: string, action: () => Promise<T>): Promise<T> {
    const before = this.turns.get(sha256) ?? Promise.resolve();
    const turn = before.then(action, action);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.turns.set(sha256, settled);
    try {
      return await turn;
    } finally {
      if (this.turns.get(sha256) === settled) this.turns.delete(sha256);
    }
  }

  private wholePath(sha256: string): string {
    return join(this.folder, checked(sha256).slice(0, 2), sha256);
  }

  private partialPath(sha256: string): string {
    return join(this.folder, 'partial', checked(sha256));
  }
}

/** A hash is also a file's name: nothing but hex digits may become a path. */
function checked(sha256: string): string {
  if (!Sha256.safeParse(sha256).success)
    throw new AppError('invalid_input', `${JSON.stringify(sha256)} is not 64 lower-case hex digits`, [
      { path: 'sha256', message: 'expected 64 lower-case hex digits' },
    ]);
  return sha256;
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found?.size ?? null;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** A full disk and a sender that went away are no faults of the server: their senders try again. */
function explainBrokenWrite(error: unknown, sha256: string, storedBytes: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC')
    return new AppError('unavailable', 'the disk of the data folder is full', [], { cause: error });
  if (code === 'ECONNRESET')
    return new AppError('unavailable', `blob ${sha256} broke off after ${storedBytes} bytes`, [], {
      cause: error,
    });
  return error;
}
