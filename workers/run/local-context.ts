import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { RecipeContext } from '@/rl/recipes/recipe';
import { openEmbedder } from '../embeddings/open-embedder';
import { openEndpoint } from '../endpoints/open-endpoint';
import { createEngine } from '../engines/engine';
import { openEnvironment } from '../environments/open-environment';
import { openTeacher } from '../teachers/open-teacher';
import { shelve } from '../trajectories/trajectory-shelf';
import { trajectoriesOfFile } from '../trajectories/trajectory-file';

/**
 * What a recipe is given where it runs from its beginning in this process, without a server. `trajectoriesPath`: the file of
 * recorded trajectories that it may learn from.
 */
export function localContext(
  engine: Engine,
  checkpointDir: RecipeContext['checkpointDir'],
  signal: AbortSignal = new AbortController().signal,
  trajectoriesPath: string | null = null,
): RecipeContext {
  return {
    engine,
    openEnvironment,
    openEndpoint: (settings) => openEndpoint(settings, signal),
    openEmbedder,
    openTeacher: (settings) => openTeacher(settings, { student: engine, createEngine, signal }),
    openCheckpoint({ runId, step }) {
      throw new AppError(
        'invalid_input',
        `the run works on the checkpoint of step ${step} of run ${runId}, which only a worker reaches: launch it on the server`,
      );
    },
    earlierEvaluations: () => Promise.resolve(null),
    trajectory(id) {
      throw new AppError(
        'invalid_input',
        `the run works on trajectory ${id}, which only a worker reaches: launch it on the server`,
      );
    },
    nextCommand: () => Promise.resolve(null),
    trajectories(filter) {
      if (trajectoriesPath === null)
        throw new AppError(
          'invalid_input',
          'the run learns from recorded trajectories, and none are given: npm run train takes a file of them by --trajectories',
        );
      return shelve(trajectoriesOfFile(trajectoriesPath, filter));
    },
    checkpointDir,
    resumeFrom: null,
    clock: () => performance.now() / 1000,
    signal,
  };
}
