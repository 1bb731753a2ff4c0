import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { RelativePath, type CheckpointFile } from '@/contract/checkpoint';
import { AppError } from '@/contract/errors';
import type { RunEvent } from '@/contract/run-events';
import { MAX_UPLOADED_CHECKPOINT_BYTES } from '@/contract/version';
import type { BlobStore } from '../blobs/store';

/** A checkpoint's folder put into the blob store, as the two events that tell of it. Throws `too_large` and `not_found`. */
export async function storeCheckpoint(
  blobs: BlobStore,
  { step, parentStep, dir }: { step: number; parentStep: number | null; dir: string },
): Promise<RunEvent[]> {
  const names = await readdir(dir, { recursive: true }).catch(() => {
    throw new AppError('not_found', `checkpoint of step ${step}: ${dir} is not there`);
  });
  const files: CheckpointFile[] = [];
  let size = 0;
  for (const name of names.sort()) {
    const full = path.join(dir, name);
    const stats = await stat(full);
    if (!stats.isFile()) continue;
    size += stats.size;
    if (size > MAX_UPLOADED_CHECKPOINT_BYTES)
      throw new AppError(
        'too_large',
        `checkpoint of step ${step} has more than ${MAX_UPLOADED_CHECKPOINT_BYTES} bytes`,
      );
    const sha256 = await hashOf(full);
    if (!(await blobs.has(sha256)))
      await blobs.append(sha256, { offset: 0, totalBytes: stats.size, body: createReadStream(full) });
    files.push({ path: RelativePath.parse(name), sha256, size: stats.size });
  }
  const location = { kind: 'blob' } as const;
  return [
    { kind: 'checkpoint:saved', checkpoint: { step, parentStep, files, size }, location },
    { kind: 'checkpoint:completed', step, location },
  ];
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
