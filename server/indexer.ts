import type { Database } from './database';
import { indexTurns } from './trajectories/index-turns';

/** Trajectories a transaction: small, so that none of them is long. */
const BATCH = 20;
/** Between two batches: what else the database has to do goes first. */
const BREATH_MS = 20;
const LOOK_MS = 1_000;

/** Makes what ingest has stored searchable, batch after batch, and looks every second for more. */
export function startIndexer(database: Database): { stop(): Promise<void> } {
  let stopped = false;
  let indexing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;

  const schedule = (delayMs: number) => {
    timer = setTimeout(() => {
      indexing = indexTurns(database, BATCH)
        .catch((error: unknown) => {
          console.error('turns were not made searchable, tried again soon:', error);
          return 0;
        })
        .then((taken) => {
          if (!stopped) schedule(taken === BATCH ? BREATH_MS : LOOK_MS);
        });
    }, delayMs);
    timer.unref();
  };
  schedule(LOOK_MS);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await indexing;
    },
  };
}
