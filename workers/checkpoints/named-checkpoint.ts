import type { CheckpointReference } from '@/contract/checkpoint';
import type { Engine, SamplingClient } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { NamedCheckpoint } from '@/contract/socket';
import type { BlobClient } from '../connection/blob-client';
import type { CheckpointStore } from './checkpoint-store';
import { restoreCheckpoint } from './restore';

export interface NamedCheckpointParts {
  /** As the server resolved what the run's config names. */
  checkpoints: readonly NamedCheckpoint[];
  engine: Engine;
  store: CheckpointStore;
  blobs: Pick<BlobClient, 'fetch'>;
}

/**
 * A checkpoint of another run as an immutable policy; the engine holds its weights from then on. Step 0 of a run that saved
 * none is the engine's base model. Waits while the server is away; throws `not_found` where the checkpoint is gone, and
 * what `restoreCheckpoint` and the engine refuse, with its name.
 */
export async function openNamedCheckpoint(
  { runId, step }: CheckpointReference,
  { checkpoints, engine, store, blobs }: NamedCheckpointParts,
  signal: AbortSignal,
): Promise<SamplingClient> {
  const named = checkpoints.find((each) => each.runId === runId && each.step === step);
  if (!named)
    throw new AppError('internal', `the config names no checkpoint of step ${step} of run ${runId}`);
  if (named.point === null && step === 0) return engine.base;
  if (named.point === null)
    throw new AppError(
      'not_found',
      `checkpoint of step ${step} of run ${runId} is gone: the server has no complete one`,
    );
  try {
    const restored = await restoreCheckpoint(runId, named.point, { store, blobs }, signal);
    try {
      await engine.training.loadState(restored.dir);
    } finally {
      await restored.release();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `run ${runId}, step ${step}: ${error.message}`, error.issues, {
      cause: error,
    });
  }
  return engine.training.saveWeightsForSampler();
}
