import { join, resolve } from 'node:path';

/** The repository root: every entry point lies in its `workers/`. */
export const REPOSITORY_DIR = resolve(import.meta.dirname, '..');

/** Folder of everything the product stores on this machine: `STEPSCOPE_HOME`, or `.stepscope` in the repository. */
export function productHome(): string {
  return resolve(process.env.STEPSCOPE_HOME ?? join(REPOSITORY_DIR, '.stepscope'));
}
