import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@/contract/errors';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** Waits longer after each failure in a row: 0.25 s, doubling to 5 s. */
export class Backoff {
  private nextMs = FIRST_WAIT_MS;

  reset(): void {
    this.nextMs = FIRST_WAIT_MS;
  }

  /** Resolves early, without an error, when `signal` aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const waitMs = this.nextMs;
    this.nextMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    await pause(waitMs, signal);
  }
}

/** Whether the same request may well be answered later: the server is away, or stumbled. */
export function isPassing(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'unavailable' || error.code === 'internal');
}

/** Calls again while the failure is passing, for as long as that takes. Throws any other failure, and once aborted. */
export async function untilAnswered<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const backoff = new Backoff();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      await backoff.wait(signal);
    }
  }
}

/** Resolves after `waitMs`, or when `signal` aborts. */
export async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(waitMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * What `promise` gives, or undefined as soon as `signal` aborts. Leaves no listener behind, since some signals
 * live as long as the worker.
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let abort: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    abort = () => resolve(undefined);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
