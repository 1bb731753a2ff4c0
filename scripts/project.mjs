/** Where things are, and the environment every child of these scripts gets. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The data folder: database, blobs, tokens, logs. */
export const HOME = resolve(ROOT, process.env.STEPSCOPE_HOME || '.stepscope');

export const CHILD_ENV = { ...process.env, STEPSCOPE_HOME: HOME, NEXT_TELEMETRY_DISABLED: '1' };

/** Path of a package's program, so that it is run by this Node without a shell between. */
export function binOf(packageName, file) {
  return join(ROOT, 'node_modules', packageName, file);
}

export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  }
}

/** Ends with a message instead of a stack: what went wrong is the user's to mend. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}
