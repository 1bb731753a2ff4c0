/**
 * Entry of the process that leads the group of an engine command. It starts the command, tells its parent how that ended,
 * and then ends the whole group, itself included. When its parent is gone, however that went, it ends the command: an
 * engine that nobody uses would hold the GPUs. Plain JavaScript, so that what stands by all the time is small.
 * Usage: guardian.mjs GRACE_MS COMMAND ARGUMENTS...
 */
import { spawn } from 'node:child_process';

const [graceMs, command, ...argv] = process.argv.slice(2);

// Signals go to the whole group; the command answers them, its guardian only waits for it.
process.on('SIGTERM', () => {});
process.on('SIGINT', () => {});

const signalGroup = (signal) => process.kill(-process.pid, signal);

function finish(ended) {
  if (process.connected) process.send({ ended }, undefined, undefined, () => signalGroup('SIGKILL'));
  else signalGroup('SIGKILL');
}

process.on('disconnect', () => {
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), Number(graceMs));
});

const child = spawn(command, argv, { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('error', (error) => finish(`could not be started: ${error.message}`));
child.on('exit', (code, signal) =>
  finish(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
);
