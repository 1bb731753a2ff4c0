import { AppError } from '@/contract/errors';
import { clipWords, type EngineCommandReport } from '@/contract/worker-report';
import { Backoff, orAborted, pause } from '../retry';
import { OutputTail } from './output-tail';
import { ProcessGroup } from './process-group';
import type { EngineCommandSettings } from './settings';

/** How patient a worker is with its engine command. */
export interface EngineCommandLimits {
  /** From SIGTERM to SIGKILL, in ms. */
  graceMs: number;
  askEveryMs: number;
  /** An engine that was ready for so long did start, whatever ended it, in ms. */
  steadyMs: number;
  /** Starts in a row that may come to nothing. */
  starts: number;
}

/** A server with GPUs has processes of its own to end. */
const LIMITS: EngineCommandLimits = { graceMs: 30_000, askEveryMs: 1000, steadyMs: 600_000, starts: 5 };

export interface EngineCommandParts {
  settings: EngineCommandSettings;
  /** Where the engine answers once it is ready. */
  address: string;
  /** Why the address does not answer; null where it does. */
  probe(): Promise<string | null>;
  /** One line for whoever watches the worker. */
  say(line: string): void;
  /** The report is another one. */
  changed(): void;
  limits?: EngineCommandLimits;
}

/** How a life of the engine went. */
interface Life {
  /** Why it ended or did not begin, in words. */
  reason: string;
  /** `occupied`: the address answered before it was started. `steady`: it had been ready for long. */
  outcome: 'occupied' | 'failed' | 'steady';
}

/**
 * Starts the engine command of the worker's settings, waits until its address answers, and starts it again when it ends,
 * after growing waits, until too many starts in a row have come to nothing.
 */
export class EngineCommand {
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private readonly limits: EngineCommandLimits;
  private ending: AbortController | null = null;
  private current: EngineCommandReport = { state: 'starting', words: 'about to be started' };

  constructor(private readonly parts: EngineCommandParts) {
    this.limits = parts.limits ?? LIMITS;
    this.running = this.keepAlive();
    // Whoever stops it hears of a failure; until then the report tells it.
    this.running.catch(() => undefined);
  }

  get report(): EngineCommandReport {
    return this.current;
  }

  /** Aborted when the engine that now runs ends, with an error that says how; absent while none runs. */
  get lifetime(): AbortSignal | undefined {
    return this.ending?.signal;
  }

  /** Ends the engine with all its processes. Throws `unavailable` where one outlives that. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async keepAlive(): Promise<void> {
    const { signal } = this.stopping;
    const { starts } = this.limits;
    const backoff = new Backoff();
    let failures = 0;
    try {
      while (!signal.aborted) {
        const { reason, outcome } = await this.live();
        if (signal.aborted) break;
        if (outcome === 'steady') backoff.reset();
        if (outcome !== 'occupied') failures = outcome === 'steady' ? 1 : failures + 1;
        if (failures >= starts)
          return this.become('given-up', `${reason}; ${failures} starts in a row came to nothing`);
        const next = outcome === 'occupied' ? '' : `; start ${failures + 1} of ${starts} follows`;
        this.become('waiting', reason + next);
        await backoff.wait(signal);
      }
      this.become('stopped', 'stopped with the worker');
    } catch (error) {
      this.become('given-up', error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** One life of the engine, from its start to the end of its last process. */
  private async live(): Promise<Life> {
    const { parts, stopping, limits } = this;
    const { argv, env, secrets } = parts.settings;
    if ((await parts.probe()) === null) {
      // An engine of a worker that was killed takes its time to end.
      const reason = `${parts.address} is answered by something else; the engine command is started once it is free`;
      return { reason, outcome: 'occupied' };
    }
    if (stopping.signal.aborted) return { reason: 'it is stopped', outcome: 'occupied' };
    let isReady = false;
    const output = new OutputTail(secrets, (line) => {
      if (!isReady) parts.say(`engine command: ${line}`);
    });
    const group = new ProcessGroup({ argv, env, output, graceMs: limits.graceMs });
    const ending = new AbortController();
    this.ending = ending;
    this.become('starting', `process group ${group.id} is started, ${parts.address} does not answer yet`);
    const over = orAborted(group.ended, stopping.signal).then(
      (how) => `the engine command ${how ?? 'is stopped with its worker'}`,
    );
    const notReady = await Promise.race([over, this.untilReady(ending.signal)]);
    const readyAt = performance.now();
    if (notReady === null) {
      isReady = true;
      this.become('ready', `process group ${group.id} answers at ${parts.address}`);
    }
    const reason = notReady ?? (await over);
    const wasSteady = isReady && performance.now() - readyAt >= limits.steadyMs;
    await this.end(group, ending, { reason, tail: isReady ? output.text : '' });
    return { reason: lastLineAdded(reason, output.text), outcome: wasSteady ? 'steady' : 'failed' };
  }

  /** Null once the address answers; why it does not where that takes too long. */
  private async untilReady(signal: AbortSignal): Promise<string | null> {
    const { probe, address, settings } = this.parts;
    const limit = performance.now() + settings.readyMs;
    for (;;) {
      const problem = await probe();
      if (problem === null) return null;
      if (signal.aborted || performance.now() >= limit)
        return `the engine command did not answer at ${address} within ${settings.readyMs / 1000} s (${problem})`;
      await pause(this.limits.askEveryMs, signal);
    }
  }

  /** Fails what goes on with the engine, whose models are gone, and ends what is left of it. */
  private async end(
    group: ProcessGroup,
    ending: AbortController,
    { reason, tail }: { reason: string; tail: string },
  ): Promise<void> {
    const said = tail && `. The last it wrote:\n${tail}`;
    ending.abort(new AppError('unavailable', `${reason}, and the models on it are gone with it${said}`));
    this.ending = null;
    for (const line of [`${reason}.`, ...tail.split('\n').filter(Boolean)])
      this.parts.say(`engine command: ${line}`);
    await group.stop();
  }

  private become(state: EngineCommandReport['state'], words: string): void {
    const before = this.current;
    this.current = { state, words: clipWords(words) };
    if (before.state === state && before.words === this.current.words) return;
    this.parts.say(`engine command: ${state}: ${this.current.words}`);
    this.parts.changed();
  }
}

function lastLineAdded(reason: string, output: string): string {
  const last = output.split('\n').at(-1);
  return last ? `${reason}; the last it wrote: ${last}` : reason;
}
