import { AppError } from '@/contract/errors';
import type { TinkerConnection } from './connection';
import { awaitResult } from './future';
import { Patience } from './patience';
import type { RemoteModel } from './remote-model';
import { CheckpointsAnswer, SaveWeightsAnswer } from './wire';

/**
 * Saves a model's state under a name that is new to it and gives its path. A save is not told from its repetition by its
 * number everywhere: where the name turns out to be taken, an earlier try of this very save was heard, and its checkpoint
 * is waited for in the server's list.
 */
export async function savedPath(
  connection: TinkerConnection,
  model: RemoteModel,
  name: string,
): Promise<string> {
  try {
    const submitted = await model.submit('save_weights', { type: 'save_weights', path: name });
    const reply = await awaitResult(connection, submitted);
    return connection.parse(SaveWeightsAnswer, submitted, reply).path;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return listedPath(connection, model, name, error);
  }
}

async function listedPath(
  connection: TinkerConnection,
  model: RemoteModel,
  name: string,
  conflict: AppError,
): Promise<string> {
  const patience = new Patience(connection);
  for (;;) {
    const { checkpoints } = await connection.request(CheckpointsAnswer, {
      method: 'GET',
      route: `training_runs/${encodeURIComponent(model.id)}/checkpoints`,
    });
    const saved = checkpoints.find(
      (entry) => entry.checkpoint_type === 'training' && entry.tinker_path.endsWith(`/weights/${name}`),
    );
    if (saved) return saved.tinker_path;
    await patience.waitAfter(conflict);
  }
}
