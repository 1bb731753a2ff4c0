/**
 * Runs a TypeScript program in this very process, so that signals reach it and no wrapper outlives it.
 * Usage: node scripts/run-ts.mjs [--until-parent-exits] FILE.ts ARGUMENTS...
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import 'tsx';

const UNTIL_PARENT_EXITS = '--until-parent-exits';

const given = process.argv.slice(2);
const untilParentExits = given[0] === UNTIL_PARENT_EXITS;
if (untilParentExits) given.shift();
const [file, ...programArguments] = given;
if (file === undefined) {
  console.error(`usage: node scripts/run-ts.mjs [${UNTIL_PARENT_EXITS}] FILE.ts ARGUMENTS...`);
  process.exit(2);
}

if (untilParentExits) {
  // The parent holds the other end of stdin; when it dies, however it dies, this program stops in order.
  process.stdin.resume();
  process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.on('error', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.unref?.();
}

// Processes forked from here run TypeScript too.
process.execArgv.push('--import', import.meta.resolve('tsx'));

const path = resolve(file);
process.argv = [process.argv[0] ?? 'node', path, ...programArguments];
await import(pathToFileURL(path).href);
