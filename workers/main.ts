/** The worker process: claims runs, trains them, streams what happens. Ctrl-C drains; a second one ends at once. */
import { AppError } from '@/contract/errors';
import { prepareRun } from '@/rl/recipes/registry';
import { codeVersion } from './code-version';
import { createEngine } from './engines/engine';
import {
  engineCommand,
  onnxProvider,
  tinkerServer,
  type TinkerServerSettings,
  WORKER_USAGE,
  workerSettings,
  type WorkerSettings,
} from './env';
import { Machine } from './machine';
import { Worker } from './worker';
import { WorkerHome } from './worker-home';

function say(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
}

function settingsOrExit() {
  try {
    // Its children read the provider themselves; a wrong one is said before a run fails for it.
    onnxProvider();
    const settings = workerSettings(process.argv.slice(2));
    return { settings, server: tinkerServer(), command: engineCommand() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    console.error(`${error.message}\n\n${WORKER_USAGE}`);
    process.exit(2);
  }
}

async function main(): Promise<void> {
  const { settings, server, command } = settingsOrExit();
  const home = WorkerHome.open(settings.home);
  try {
    const machine = await Machine.open({ server, command, say });
    await work(settings, { home, machine, server });
  } finally {
    home.close();
  }
}

async function work(
  settings: WorkerSettings,
  { home, machine, server }: { home: WorkerHome; machine: Machine; server: TinkerServerSettings | null },
): Promise<void> {
  const worker = new Worker(settings, home, {
    prepareRun,
    createEngine: (spec) => createEngine(spec, server, machine.engineLifetime),
    machine,
    code: await codeVersion(),
    now: Date.now,
    say,
  });
  let interrupted = false;
  const interrupt = (): void => {
    if (interrupted) process.exit(130);
    interrupted = true;
    say('shutting down after the step at hand; once more to end at once');
    worker.shutDown();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    await worker.run();
  } finally {
    await machine.close();
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error instanceof AppError ? error.message : error);
  process.exit(1);
}
