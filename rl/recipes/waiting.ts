import type { ChatEndpoint } from '@/contract/endpoint';
import type { RecipeEvent } from '@/contract/run-events';

/**
 * Waits for work that asks an endpoint. Where the endpoint keeps it waiting the run is paused, with the reason, until it
 * answers; nothing that the work holds is lost. Null where the run is stopped meanwhile. Throws what the work throws.
 */
export async function* waitFor<Result>(
  work: Promise<Result>,
  endpoint: Pick<ChatEndpoint, 'trouble' | 'troubleChanged'>,
  signal: AbortSignal,
): AsyncGenerator<RecipeEvent, Result | null> {
  const outcome = work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  let isPaused = false;
  for (;;) {
    const changed = endpoint.troubleChanged();
    const { trouble } = endpoint;
    if (trouble !== null && !isPaused) yield { kind: 'pause:began', reason: trouble };
    if (trouble === null && isPaused) yield { kind: 'pause:ended' };
    isPaused = trouble !== null;
    const ended = await Promise.race([outcome, changed]);
    if (!ended) continue;
    if ('result' in ended) {
      if (isPaused) yield { kind: 'pause:ended' };
      return ended.result;
    }
    if (signal.aborted) return null;
    throw ended.error;
  }
}
