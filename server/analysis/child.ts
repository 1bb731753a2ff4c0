/** The detectors' process: they may compute for long, and the server's own loop must not wait. Ends when its parent does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { closeDatabase, openDatabase } from '../database';
import { Analyst, type AnalysedRun } from './analyst';

const LOOK_EVERY_MS = 1_000;
/** Rest after a look, as a multiple of what it took: a long run that says something every moment leaves the others their core. */
const REST = 2;
/** First words of the parent. The address has a password, so it is no argument that others could list. */
const Begin = z.object({ databaseUrl: z.string().min(1) });

let stopped = false;
process.on('disconnect', () => {
  stopped = true;
});
// Ctrl-C and service managers reach the whole group; the parent says when to end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

function tell(run: AnalysedRun): void {
  if (process.connected) process.send?.(run);
}

process.once('message', (message) => {
  run(Begin.parse(message).databaseUrl).catch((error: unknown) => {
    console.error('detectors stopped:', error);
    process.exit(1);
  });
});

async function run(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  const analyst = new Analyst(database);
  while (!stopped) {
    const began = performance.now();
    await analyst.look(tell);
    const rest = Math.max(LOOK_EVERY_MS, REST * (performance.now() - began));
    for (let left = rest; left > 0 && !stopped; left -= LOOK_EVERY_MS)
      await sleep(Math.min(left, LOOK_EVERY_MS));
  }
  await closeDatabase(database);
}
