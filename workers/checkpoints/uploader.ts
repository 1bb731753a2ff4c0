import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@/contract/errors';
import type { CheckpointFile } from '@/contract/checkpoint';
import { clipMessage, type RunEvent } from '@/contract/run-events';
import { MAX_UPLOADED_CHECKPOINT_BYTES } from '@/contract/version';
import { orAborted, untilAnswered } from '../retry';
import type { BlobClient } from '../connection/blob-client';
import type { CheckpointStore, LocalCheckpoint } from './checkpoint-store';

/** Uploads an attempt's checkpoints one after another beside the training, for as long as it takes. */
export class CheckpointUploader {
  private readonly stopping = new AbortController();
  private tail: Promise<void> = Promise.resolve();
  private failure: Error | null = null;

  constructor(
    private readonly store: CheckpointStore,
    private readonly blobs: Pick<BlobClient, 'put'>,
    private readonly workerId: string,
    private readonly maxBytes: number = MAX_UPLOADED_CHECKPOINT_BYTES,
  ) {}

  /** Says `checkpoint:completed` through `say` once the checkpoint's files are where they stay. */
  enqueue(local: LocalCheckpoint, say: (event: RunEvent) => void): void {
    this.tail = this.tail
      .then(() => this.complete(local, say))
      .catch((error: unknown) => {
        this.failure ??= error instanceof Error ? error : new Error(String(error));
      });
  }

  /** Resolves once nothing waits, or when `signal` aborts. Throws what the store or `say` threw. */
  async idle(signal: AbortSignal): Promise<void> {
    await orAborted(this.tail, signal);
    if (this.failure !== null) throw this.failure;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.tail;
  }

  private async complete(local: LocalCheckpoint, say: (event: RunEvent) => void): Promise<void> {
    const { step, size, files } = local.checkpoint;
    if (size > this.maxBytes) {
      say({
        kind: 'checkpoint:completed',
        step,
        location: { kind: 'worker', workerId: this.workerId, path: local.dir },
      });
      await this.store.mark(local, 'kept');
      return;
    }
    try {
      for (const file of files) await this.upload(local.dir, file);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (!(error instanceof AppError)) throw error;
      const message = `checkpoint of step ${step} was not uploaded: ${error.message}`;
      say({ kind: 'log:written', level: 'error', message: clipMessage(message) });
      return;
    }
    say({ kind: 'checkpoint:completed', step, location: { kind: 'blob' } });
    await this.store.mark(local, 'uploaded');
    await this.store.prune();
  }

  private async upload(dir: string, { path, sha256, size }: CheckpointFile): Promise<void> {
    const file = await open(join(dir, path));
    try {
      const read = async (offset: number, length: number): Promise<Uint8Array> => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      };
      const { signal } = this.stopping;
      await untilAnswered(() => this.blobs.put({ sha256, size, read }, signal), signal);
    } finally {
      await file.close();
    }
  }
}
