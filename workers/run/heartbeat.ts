import { AppError } from '@/contract/errors';
import type { Control, RunAttempt } from '@/contract/socket';

/** The calls that keep a lease. */
export interface LeaseKeeper {
  heartbeat(attempt: RunAttempt): Promise<{ control: Control }>;
  rejoin(attempt: RunAttempt): Promise<{ control: Control }>;
}

/**
 * Beats for an attempt until stopped; `obey` hears what the server wants. A missed beat is no reason to end: the
 * server may be away, and the run goes on without it. Beats do not wait for one another: behind a connection that
 * hangs, waiting would cost the lease.
 */
export class Heartbeat {
  private readonly timer: NodeJS.Timeout;
  private isStopped = false;

  constructor(
    private readonly attempt: RunAttempt,
    private readonly server: LeaseKeeper,
    private readonly obey: (control: Control) => void,
    everyMs: number,
  ) {
    this.timer = setInterval(() => void this.ask(() => server.heartbeat(attempt)), everyMs);
  }

  /** After a reconnect: the server may have given the run away meanwhile. */
  async rejoin(): Promise<void> {
    await this.ask(() => this.server.rejoin(this.attempt));
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  private async ask(call: () => Promise<{ control: Control }>): Promise<void> {
    try {
      const { control } = await call();
      if (!this.isStopped) this.obey(control);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'not_found' && !this.isStopped) this.obey('end');
    }
  }
}
