import { AppError } from '@/contract/errors';
import { importPath, type PathOptions } from './import-paths';
import type { ImportOutcome, ImportTarget } from './import-source';

/** Reasons of one source that are printed. */
const SKIPPED_SHOWN = 10;

/**
 * Imports what each path names, whatever becomes of the others, and prints a line or several of each.
 * @param site where the server's pages are, or would be
 * @returns the paths of which something could not be read
 */
export async function importAll(
  target: ImportTarget,
  paths: readonly string[],
  options: PathOptions,
  { site, print }: { site: string; print(line: string): void },
): Promise<string[]> {
  const failed: string[] = [];
  for (const named of paths) {
    let isRead = true;
    try {
      for await (const { source, outcome } of importPath(target, named, options)) {
        isRead &&= outcome.state !== 'refused';
        outcomeLines(site, source, outcome).forEach(print);
      }
    } catch (error) {
      isRead = false;
      const word = error instanceof AppError ? 'refused' : 'failed';
      print(`${word.padEnd(9)} ${named}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (!isRead) failed.push(named);
  }
  return failed;
}

function outcomeLines(site: string, source: string, outcome: ImportOutcome): string[] {
  const { state, runId, format, counts, skipped, skippedCount, refusal } = outcome;
  if (state === 'refused') return [`refused   ${source}: ${refusal?.message ?? ''}`];
  const read = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`);
  const left = skipped
    .slice(0, SKIPPED_SHOWN)
    .map(({ file, line, reason }) => `          ${file}${line === null ? '' : `:${line}`}: ${reason}`);
  const more = skippedCount - left.length;
  return [
    `${state.padEnd(9)} ${source}: ${format ?? ''}, ${read.join(', ') || 'nothing to count'}  ${site}/runs/${runId}`,
    ...left,
    ...(more > 0 ? [`          ${more} more were left out: ${site}/imports`] : []),
  ];
}
