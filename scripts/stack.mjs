/** Server and one local worker, started together and stopped in order. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { startProgram, stopProgram } from './children.mjs';
import { CHILD_ENV, HOME, readJson } from './project.mjs';
import { startProgress } from './progress.mjs';

const SERVER_READY_MS = 120_000;
const POLL_MS = 200;
/** A worker ends at the next safe point of a step. */
const WORKER_GRACE_MS = 60_000;
const SERVER_GRACE_MS = 20_000;
const WORKER_RESTART_MS = 2_000;
const WORKER_RESTARTS = 5;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function answers(url) {
  try {
    return (await fetch(`${url}/api/v1/health`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** The server of this data folder that runs already, or null. */
export async function findRunningServer() {
  const left = readJson(join(HOME, 'server.json'));
  if (!left) return null;
  if (await answers(left.url)) return { url: left.url };
  console.log(`The server of ${HOME} (process ${left.pid}) ended without stopping in order; starting again.`);
  return null;
}

/** Starts both; `logs` sends their output to `<home>/logs`, otherwise it comes here. */
export async function startStack({ logs }) {
  const server = await startServer(logs ? join(HOME, 'logs', 'server.log') : null);
  const workerLog = logs ? join(HOME, 'logs', 'worker.log') : null;
  let worker = startWorker(server.url, workerLog);
  let stopping = false;

  const workerGaveUp = (async () => {
    for (let restarts = 0; ; restarts++) {
      const code = await worker.exited;
      if (stopping) return new Promise(() => {});
      if (restarts === WORKER_RESTARTS) return `the worker ended ${restarts + 1} times, last with ${code}`;
      console.error(
        `\nThe worker ended with ${code}; it is started again.${workerLog ? ` Log: ${workerLog}` : ''}`,
      );
      await sleep(WORKER_RESTART_MS);
      if (stopping) return new Promise(() => {});
      worker = startWorker(server.url, workerLog);
    }
  })();

  return {
    url: server.url,
    /** Resolves with what went wrong, should a part end by itself. */
    broken: Promise.race([
      server.program.exited.then((code) => `the server ended with ${code}`),
      workerGaveUp,
    ]),
    /** The worker first, so that what it still sends is stored; then the server, which stops its Postgres. */
    async stop(hurry) {
      stopping = true;
      await stopProgram(worker, WORKER_GRACE_MS, hurry);
      await stopProgram(server.program, SERVER_GRACE_MS);
    },
  };
}

async function startServer(logFile) {
  const progress = startProgress('database and server');
  const program = startProgram('server', ['server/main.ts'], {
    env: { ...CHILD_ENV, NODE_ENV: 'production' },
    logFile,
  });
  let ended = null;
  void program.exited.then((code) => (ended = code));
  const deadline = Date.now() + SERVER_READY_MS;
  while (Date.now() < deadline && ended === null) {
    const written = readJson(join(HOME, 'server.json'));
    if (written?.pid === program.pid && (await answers(written.url))) {
      progress.done(written.url);
      return { program, url: written.url };
    }
    await sleep(POLL_MS);
  }
  progress.failed();
  await stopProgram(program, SERVER_GRACE_MS);
  const log = logFile ? `\n${readFileSync(logFile, 'utf8').split('\n').slice(-20).join('\n')}` : '';
  throw new Error(
    ended === null
      ? `the server did not answer within ${SERVER_READY_MS / 1000} s${log}`
      : `the server ended with ${ended}${log}`,
  );
}

function startWorker(url, logFile) {
  const token = readFileSync(join(HOME, 'worker-token'), 'utf8').trim();
  const folder = join(HOME, 'workers', 'local');
  return startProgram(
    'worker',
    ['workers/main.ts', '--server', url, '--home', folder, '--name', `local on ${hostname()}`],
    // The token goes by environment: arguments are for every user of the machine to read.
    { env: { ...CHILD_ENV, NODE_ENV: 'production', STEPSCOPE_WORKER_TOKEN: token }, logFile },
  );
}

/**
 * Resolves at the first Ctrl-C or SIGTERM; `hurry` at the second. A hangup counts too: a closed terminal leaves
 * nothing behind.
 */
export function askedToStop() {
  let first, second;
  const asked = new Promise((resolve) => (first = resolve));
  const hurry = new Promise((resolve) => (second = resolve));
  let times = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => (++times === 1 ? first() : second()));
  return { asked, hurry };
}

/** Serves until somebody asks to stop or a part breaks; answers the exit code. */
export async function serveUntilStopped(stack, { asked, hurry }) {
  const reason = await Promise.race([asked.then(() => null), stack.broken]);
  if (reason) console.error(`\n${reason}; stopping.`);
  else console.log('\nStopping: the worker first, then the server and its database. Ctrl-C again to hurry.');
  await stack.stop(hurry);
  console.log('Stopped.');
  return reason ? 1 : 0;
}
