import { AppError } from '@/contract/errors';
import type { TinkerConnection } from './connection';

/** Between two tries. */
export const LONGEST_WAIT_MS = 30_000;

/** Waits between tries: 1, 2, 4 ... 30 s, until the connection's patience has run out since the first failure. */
export class Patience {
  private failedSince: number | null = null;
  private failures = 0;

  constructor(private readonly connection: TinkerConnection) {}

  /** Forgets earlier failures. */
  reset(): void {
    this.failedSince = null;
    this.failures = 0;
  }

  /** Throws `error` where there is no time left. */
  async waitAfter(error: AppError, leastMs = 0): Promise<void> {
    const { timing, patienceMs, signal } = this.connection;
    this.failedSince ??= timing.now();
    const leftMs = this.failedSince + patienceMs - timing.now();
    if (leftMs <= 0)
      throw new AppError(
        error.code,
        `${error.message}; it was waited for ${patienceMs / 1000} s`,
        error.issues,
        {
          cause: error,
        },
      );
    const waitMs = Math.max(leastMs, Math.min(LONGEST_WAIT_MS, 1000 * 2 ** this.failures++));
    await timing.wait(Math.min(waitMs, leftMs), signal);
  }
}
