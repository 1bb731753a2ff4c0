import type { SamplingClient } from '@/contract/engine';
import { Refusal } from './refusal';
import { SampleQueue } from './sample-queue';

/** A policy that can be asked. */
export interface OpenedSampler {
  client: SamplingClient;
  /** Token ids that end a reply where a request names none. */
  stopTokens: readonly number[];
  /** What waits for the policy. */
  queue: SampleQueue;
  close(): Promise<void>;
}

/** A policy while a request uses it. */
export interface SamplerLease {
  opened: Promise<OpenedSampler>;
  release(): void;
}

/** Where a sampling session has its policy from. */
export interface SamplerSource {
  /** Refuses with 429 where there is no room for the policy now. */
  lease(): SamplerLease;
  /** Fails what still waits, and ends what the policy alone had. */
  close(): Promise<void>;
}

/** A policy to ask; `end` ends what it alone has. */
export function openSampler(
  { client, stopTokens }: { client: SamplingClient; stopTokens: readonly number[] },
  end: () => Promise<void> = () => Promise.resolve(),
): OpenedSampler {
  const queue = new SampleQueue(client);
  return {
    client,
    stopTokens,
    queue,
    async close() {
      queue.close();
      await end();
    },
  };
}

/** A policy in an engine that is there anyhow. */
export function heldSource(opened: Promise<OpenedSampler>): SamplerSource {
  // Every request hears of a policy that could not be opened.
  opened.catch(() => undefined);
  return {
    lease: () => ({ opened, release: () => undefined }),
    close: async () => (await opened.catch(() => null))?.close(),
  };
}

interface Entry {
  opened: Promise<OpenedSampler>;
  /** Requests that use it. */
  users: number;
}

/**
 * Policies of checkpoints, each a copy of the weights in an engine of its own, whatever the number of sessions that sample from
 * it: at most `limit` at once. Of those that no request uses the least recently used makes room, and is opened again
 * when it is asked for.
 */
export class CheckpointSamplers {
  /** By path, the least recently used first. */
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly limit: number,
    private readonly open: (path: string) => Promise<OpenedSampler>,
  ) {}

  source(path: string): SamplerSource {
    return { lease: () => this.lease(path), close: () => this.close(path) };
  }

  private lease(path: string): SamplerLease {
    const entry = this.entries.get(path) ?? this.add(path);
    this.entries.delete(path);
    this.entries.set(path, entry);
    entry.users++;
    let isReleased = false;
    return {
      opened: entry.opened,
      release: () => {
        if (!isReleased) entry.users--;
        isReleased = true;
      },
    };
  }

  private add(path: string): Entry {
    if (this.entries.size >= this.limit) {
      const idle = [...this.entries].find(([, { users }]) => users === 0);
      if (!idle)
        throw new Refusal(
          429,
          `this server samples from at most ${this.limit} checkpoints at once (--max-samplers)`,
        );
      void this.close(idle[0]);
    }
    const entry: Entry = { opened: this.open(path), users: 0 };
    // What could not be opened is tried again by the next request.
    entry.opened.catch(() => {
      if (this.entries.get(path) === entry) this.entries.delete(path);
    });
    return entry;
  }

  private async close(path: string): Promise<void> {
    const entry = this.entries.get(path);
    this.entries.delete(path);
    await (await entry?.opened.catch(() => null))?.close();
  }
}
