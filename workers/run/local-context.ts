import type { Engine } from '@/contract/engine';
import type { RecipeContext } from '@/rl/recipes/recipe';
import { openEndpoint } from '../endpoints/open-endpoint';
import { openEnvironment } from '../environments/open-environment';

/** What a recipe is given where it runs from its beginning in this process, without a server. */
export function localContext(
  engine: Engine,
  checkpointDir: RecipeContext['checkpointDir'],
  signal: AbortSignal = new AbortController().signal,
): RecipeContext {
  return {
    engine,
    openEnvironment,
    openEndpoint: (settings) => openEndpoint(settings, signal),
    checkpointDir,
    resumeFrom: null,
    clock: () => performance.now() / 1000,
    signal,
  };
}
