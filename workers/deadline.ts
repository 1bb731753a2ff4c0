/**
 * Runs `action` with a signal that aborts with `signal`, or with a `TimeoutError` after `limitMs`. The timer holds the
 * signal: Node 20 collects an `AbortSignal.timeout` that only `AbortSignal.any` refers to, and what waits for it
 * then waits for ever.
 */
export async function withDeadline<T>(
  limitMs: number,
  signal: AbortSignal | null,
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(
    () => controller.abort(new DOMException(`no answer within ${limitMs} ms`, 'TimeoutError')),
    limitMs,
  );
  try {
    return await action(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
