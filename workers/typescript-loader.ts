import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Options of Node for a process whose entry is TypeScript. Its working folder has to be the repository: the loader reads
 * import aliases from the tsconfig.json there.
 */
export const TYPESCRIPT_OPTIONS: readonly string[] = [
  '--import',
  pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
];
