import { endBrokenImports } from './importers/broken-imports';
import { sweepLeases } from './queue/sweep';
import type { Runtime } from './runtime';

/**
 * Looks for expired leases and for imports whose process is gone, three times a lease. The first look comes one full lease after the start, so that
 * workers that trained on while the server was away have beaten before anything is called lost.
 */
export function startSweeper(runtime: Runtime): { stop(): Promise<void> } {
  const { leaseMs } = runtime.lease;
  let stopped = false;
  let sweeping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;

  const schedule = (delayMs: number) => {
    timer = setTimeout(() => {
      sweeping = sweep(runtime)
        .catch((error: unknown) => console.error('sweeping leases failed, tried again soon:', error))
        .finally(() => {
          if (!stopped) schedule(leaseMs / 3);
        });
    }, delayMs);
    timer.unref();
  };
  schedule(leaseMs);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}

async function sweep({ database, publisher, lease }: Runtime): Promise<void> {
  for (const { runId, published } of await sweepLeases(database, lease)) {
    publisher.runEvents(runId, published);
    const queued = published.some(
      ({ event }) => event.kind === 'status:changed' && event.status === 'queued',
    );
    if (queued) publisher.workAvailable(runId);
  }
  for (const { runId, published } of await endBrokenImports(database)) publisher.runEvents(runId, published);
}
