import { toErrorBody } from '@/contract/errors';
import type { PublishedEvent } from '@/contract/run-events';
import type { Acknowledge } from '@/contract/socket';
import { toAppError } from '../http/error-door';
import type { Publisher } from './publisher';

/** Events that were stored and that the run's watchers have not heard of yet. */
export interface Untold {
  runId: string;
  published: PublishedEvent[];
}

/**
 * Runs a socket handler and acknowledges with its value or with why not. A client that asks for no
 * acknowledgement gets none, and a thrown value never reaches the socket's own emitter.
 */
export async function answerWith<T>(
  event: string,
  acknowledge: Acknowledge<T> | undefined,
  handle: () => Promise<T>,
): Promise<boolean> {
  const reply = typeof acknowledge === 'function' ? acknowledge : () => undefined;
  try {
    reply({ ok: true, value: await handle() });
    return true;
  } catch (thrown) {
    reply({ ok: false, ...toErrorBody(toAppError(thrown, event)) });
    return false;
  }
}

/** `answerWith` for handlers that store events: acknowledged once stored, published once acknowledged. */
export async function storeThenTell<T>(
  publisher: Publisher,
  event: string,
  acknowledge: Acknowledge<T> | undefined,
  store: () => Promise<{ answer: T; untold: Untold[] }>,
): Promise<void> {
  let untold: Untold[] = [];
  await answerWith(event, acknowledge, async () => {
    const stored = await store();
    untold = stored.untold;
    return stored.answer;
  });
  for (const { runId, published } of untold) publisher.runEvents(runId, published);
}
