import path from 'node:path';
import type { ImportFormat } from '@/contract/imports';
import type { ImportOptions, ImportSource } from './importer';
import { importSource, type ImportOutcome, type ImportTarget } from './import-source';
import { isOneSource } from './registry';
import { openSource } from './source';

export interface PathOptions extends ImportOptions {
  /** Of the run; null = the name of its file or folder. */
  name: string | null;
  format: ImportFormat | null;
}

/**
 * Imports what a path names: a file, a folder whose files belong together, or each file of any other folder by itself. Yields an
 * outcome a source; a source that is refused does not keep the others from being read.
 */
export async function* importPath(
  target: ImportTarget,
  named: string,
  options: PathOptions,
): AsyncGenerator<{ source: string; outcome: ImportOutcome }> {
  const { name, ...rest } = options;
  for (const source of await sourcesOf(named, options.format)) {
    const run = name ?? path.basename(source.path);
    yield { source: source.path, outcome: await importSource(target, source, { ...rest, name: run }) };
  }
}

async function sourcesOf(named: string, format: ImportFormat | null): Promise<ImportSource[]> {
  const source = await openSource(named);
  if (await isOneSource(source, format)) return [source];
  return source.files.map((file) => ({
    path: path.join(named, file.name),
    isFolder: false,
    files: [{ ...file, name: path.basename(file.name) }],
  }));
}
