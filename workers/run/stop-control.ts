import { pause } from '../retry';

/**
 * Why an attempt ends early. `shutdown`: this worker is going away, another attempt shall go on. `stop`: somebody
 * asked. `end`: the attempt is no longer this worker's. A later word counts only if it is stronger.
 */
export type EndingReason = 'shutdown' | 'stop' | 'end';

const STRENGTH: Record<EndingReason, number> = { shutdown: 1, stop: 2, end: 3 };

/** Ask, wait, then insist: `asked` aborts first, `insisted` after the grace. */
export class StopControl {
  private readonly asking = new AbortController();
  private readonly insisting = new AbortController();
  private readonly settled = new AbortController();
  private strongest: EndingReason | null = null;

  /** @param graceMs how long the recipe may take to end its step and write its checkpoint */
  constructor(private readonly graceMs: number) {}

  get reason(): EndingReason | null {
    return this.strongest;
  }

  /** The recipe shall end at its next safe point. */
  get asked(): AbortSignal {
    return this.asking.signal;
  }

  /** The engine is taken away. */
  get insisted(): AbortSignal {
    return this.insisting.signal;
  }

  request(reason: EndingReason): void {
    if (this.strongest !== null && STRENGTH[this.strongest] >= STRENGTH[reason]) return;
    const first = this.strongest === null;
    this.strongest = reason;
    this.asking.abort();
    if (reason === 'end') this.insisting.abort();
    else if (first) void this.insistLater();
  }

  /** The attempt has ended: nothing is left to insist on. */
  settle(): void {
    this.settled.abort();
  }

  private async insistLater(): Promise<void> {
    await pause(this.graceMs, this.settled.signal);
    if (!this.settled.signal.aborted) this.insisting.abort();
  }
}
