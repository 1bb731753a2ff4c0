/** Children in process groups of their own: a terminal's Ctrl-C does not reach them, so they are stopped in order. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './project.mjs';

const RUN_TS = join(ROOT, 'scripts', 'run-ts.mjs');

/**
 * Starts a TypeScript program that stops itself when this process dies. Its output goes to `logFile`, or here
 * where that is null.
 */
export function startProgram(name, programArguments, { env, logFile }) {
  if (logFile) mkdirSync(dirname(logFile), { recursive: true });
  const out = logFile ? openSync(logFile, 'a') : 'inherit';
  const child = spawn(process.execPath, [RUN_TS, '--until-parent-exits', ...programArguments], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['pipe', out, out],
  });
  if (logFile) closeSync(out);
  child.stdin.on('error', () => {});
  const exited = new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code));
    child.on('error', (error) => resolve(error.message));
  });
  return {
    name,
    pid: child.pid,
    exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
  };
}

/** Asks a child to end and, once `graceMs` have passed or `hurry` resolves, kills its whole group. */
export async function stopProgram(program, graceMs, hurry = new Promise(() => {})) {
  if (program.isRunning()) {
    signal(program.pid, 'SIGTERM');
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, graceMs, 'late')));
    const ended = await Promise.race([program.exited.then(() => 'ended'), late, hurry.then(() => 'hurry')]);
    clearTimeout(timer);
    if (ended === 'late')
      console.error(`${program.name} did not end within ${graceMs / 1000} s and is killed`);
  }
  // The group may outlive its leader: whatever the program started ends here as well.
  signal(-program.pid, 'SIGKILL');
  await program.exited;
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
