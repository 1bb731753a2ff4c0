import { AppError } from '@/contract/errors';
import type { StoredCommand } from '@/contract/play';
import type { CommandsAfter, RunAttempt } from '@/contract/socket';
import { orAborted, pause } from '../retry';

/** A word that a command is there may be lost with its connection; asking finds it all the same. */
const ASK_EVERY_MS = 2000;

/** The call by which commands are fetched. */
export interface CommandSource {
  readonly isConnected: boolean;
  commandsAfter(request: CommandsAfter): Promise<StoredCommand[]>;
}

/**
 * What a person tells a play by hand. Commands are stored on the server and asked for by number, so that none is lost,
 * doubled or taken out of turn, whatever becomes of the connection; the server's word only makes it faster.
 */
export class CommandFeed {
  private wake: () => void = () => undefined;

  /** @param nowMs monotonic clock */
  constructor(
    private readonly source: CommandSource,
    private readonly nowMs: () => number,
  ) {}

  /** The server says that a command is there. */
  commanded(): void {
    this.wake();
  }

  /** The command after number `after`; `idle` where none comes for `idleS` seconds, null once `signal` aborts. */
  async next(
    attempt: RunAttempt,
    after: number,
    idleS: number,
    signal: AbortSignal,
  ): Promise<StoredCommand | 'idle' | null> {
    const until = this.nowMs() + idleS * 1000;
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const [next] = await this.ask({ ...attempt, after });
      if (next) return next;
      const leftMs = until - this.nowMs();
      if (leftMs <= 0) return 'idle';
      const waiting = new AbortController();
      await orAborted(Promise.race([woken, pause(Math.min(ASK_EVERY_MS, leftMs), waiting.signal)]), signal);
      waiting.abort();
    }
    return null;
  }

  /** A server that is away has nothing new to say. */
  private async ask(request: CommandsAfter): Promise<StoredCommand[]> {
    if (!this.source.isConnected) return [];
    try {
      return await this.source.commandsAfter(request);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [];
    }
  }
}
