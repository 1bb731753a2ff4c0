import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@/contract/errors';
import { RelativePath, type CheckpointFile } from '@/contract/checkpoint';
import type { ResumePoint } from '@/contract/socket';
import { untilAnswered } from '../retry';
import type { BlobClient } from '../connection/blob-client';
import type { CheckpointStore } from './checkpoint-store';
import { holdsFiles } from './hash-files';

/** A checkpoint's files on this disk, verified. */
export interface RestoredCheckpoint {
  dir: string;
  /** Deletes what was fetched for this; a checkpoint of this worker's own stays. */
  release(): Promise<void>;
}

/**
 * Brings the files of a checkpoint to this disk: its own where it has them, the server's otherwise. Files that an
 * interrupted fetch left whole are not fetched again. Waits while the server is away; throws what cannot pass.
 */
export async function restoreCheckpoint(
  runId: string,
  point: ResumePoint,
  { store, blobs }: { store: CheckpointStore; blobs: Pick<BlobClient, 'fetch'> },
  signal: AbortSignal,
): Promise<RestoredCheckpoint> {
  const keep = (): Promise<void> => Promise.resolve();
  const own = await store.findVerified(runId, point.step, point.files);
  if (own !== null) return { dir: own, release: keep };
  if (point.location.kind === 'worker') {
    const { path } = point.location;
    store.requireInside(path);
    if (await holdsFiles(path, point.files)) return { dir: path, release: keep };
    throw new AppError(
      'not_found',
      `checkpoint of step ${point.step} is no longer whole in ${path}, and the server has no copy`,
    );
  }
  const dir = store.fetchDirOf(runId, point.step);
  try {
    for (const file of point.files) await fetchFile(dir, file, blobs, signal);
  } catch (error) {
    throw isLost(error) ? wholeNowhere(point.step, error) : error;
  }
  return { dir, release: () => rm(dir, { recursive: true, force: true }) };
}

/** Whether the server lacks a file, or has other bytes. */
function isLost(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'not_found' || error.code === 'invalid_input');
}

function wholeNowhere(step: number, cause: AppError): AppError {
  const message = `checkpoint of step ${step} is whole neither on this worker's disk nor on the server: ${cause.message}`;
  return new AppError(cause.code, message, [], { cause });
}

async function fetchFile(
  dir: string,
  file: CheckpointFile,
  blobs: Pick<BlobClient, 'fetch'>,
  signal: AbortSignal,
): Promise<void> {
  if (!RelativePath.safeParse(file.path).success)
    throw new AppError('forbidden', `checkpoint file ${JSON.stringify(file.path)} would leave its folder`);
  if (await holdsFiles(dir, [file])) return;
  const path = join(dir, file.path);
  await mkdir(dirname(path), { recursive: true });
  await untilAnswered(() => blobs.fetch(file, path, signal), signal);
}
