import type { OutageNotice } from '@/contract/endpoint';
import type { RecipeEvent } from '@/contract/run-events';

/**
 * Waits for work that asks an endpoint or a teacher. Where that keeps it waiting the run is paused, with the reason, until it
 * answers; nothing that the work holds is lost. Null where the run is stopped meanwhile. Throws what the work throws.
 */
export async function* waitFor<Result>(
  work: Promise<Result>,
  asked: OutageNotice,
  signal: AbortSignal,
): AsyncGenerator<RecipeEvent, Result | null> {
  const outcome = work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  let isPaused = false;
  for (;;) {
    const changed = asked.troubleChanged();
    const { trouble } = asked;
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
