import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Publisher } from '../sockets/publisher';

const ENTRY = fileURLToPath(new URL('./child.ts', import.meta.url));
/** The loader of TypeScript, which this process hands on, reads import aliases from the tsconfig.json there. */
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const RESTART_MS = 5_000;
const STOP_GRACE_MS = 5_000;

/** What the child says once a run's alerts are stored. */
const AnalysedRun = z.object({ runId: z.string(), alertsChanged: z.boolean() });

/**
 * Runs the detectors in a process of their own as long as the server runs, and tells browsers what they found once it is
 * stored. A child that dies is started again: it goes on from what it has stored.
 */
export function startAnalysis(databaseUrl: string, publisher: Publisher): { stop(): Promise<void> } {
  let stopped = false;
  let child: ChildProcess;
  let timer: NodeJS.Timeout | undefined;
  let ended: Promise<void> = Promise.resolve();

  const start = () => {
    child = fork(ENTRY, [], { cwd: REPOSITORY, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (message) => {
      const { runId, alertsChanged } = AnalysedRun.parse(message);
      publisher.analysed(runId, alertsChanged);
    });
    child.on('error', (error) => console.error('detectors:', error.message));
    ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve();
        if (stopped) return;
        console.error(`detectors ended (${signal ?? `exit code ${code}`}), started again soon`);
        timer = setTimeout(start, RESTART_MS);
        timer.unref();
      });
    });
    child.send({ databaseUrl });
  };
  start();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      if (child.connected) child.disconnect();
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      await ended;
      clearTimeout(killer);
    },
  };
}
