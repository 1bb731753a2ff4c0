/**
 * Flat f32 vectors handed from one process to another through a file both have open. In memory that copies them twice;
 * a message copies them some six times, most of it while the other process waits.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, openSync, readSync, statfsSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@/contract/errors';

/** What is written here on Linux stays in memory. */
const MEMORY_DIR = '/dev/shm';

/** Where files of `bytes` in all belong: in memory where it has twice the room, else with the temporary files. */
export function vectorFileDir(bytes: number): string {
  if (!existsSync(MEMORY_DIR)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DIR);
  return bavail * bsize >= 2 * bytes ? MEMORY_DIR : tmpdir();
}

/** Opens a file that has no name any more, so that it goes with the last process that has its descriptor. */
export function openVectorFile(dir: string): number {
  const path = join(dir, `stepscope-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return descriptor;
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Writes a vector in place of what the file held. */
export function writeVector(descriptor: number, vector: Float32Array): void {
  const bytes = bytesOf(vector);
  for (let done = 0; done < bytes.length;)
    done += writeSync(descriptor, bytes, done, bytes.length - done, done);
}

/** Fills `vector` with what `writeVector` wrote and returns it. Throws where the file holds less. */
export function readVector(descriptor: number, vector: Float32Array): Float32Array {
  const bytes = bytesOf(vector);
  for (let done = 0; done < bytes.length;) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, done);
    if (count === 0)
      throw new AppError('internal', `a vector file holds ${done} bytes, expected ${bytes.length}`);
    done += count;
  }
  return vector;
}
