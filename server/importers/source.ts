import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/contract/errors';
import type { ImportSource, SourceFile } from './importer';

const MAX_FILES = 20_000;
const MAX_DEPTH = 8;
/** Of one file. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;
const HEAD_BYTES = 256 * 1024;
/** Files that may run code when they are opened: never opened. */
const PICKLES = /\.(pt|pth|pkl|pickle|bin|ckpt|npy|npz)$/i;

/**
 * The file or folder that a path names, with its files by name. Links are followed only for the named path itself: within a
 * folder they could lead out of it. `called`: the name that a file has for people, where it is stored under another. Throws
 * `not_found`, `too_large` or `invalid_input`.
 */
export async function openSource(named: string, called?: string): Promise<ImportSource> {
  const said = called ?? named;
  const root = await realpath(named).catch(() => {
    throw new AppError('not_found', `${said} is not there`);
  });
  const stats = await lstat(root);
  if (!stats.isDirectory()) {
    const file = await asFile(root, called ?? path.basename(root));
    if (!file)
      throw new AppError('invalid_input', `${said} is no plain file of a log: expected text or .eval`);
    return { path: said, isFolder: false, files: [file] };
  }
  const files: SourceFile[] = [];
  await collect(root, '', 0, files);
  if (files.length === 0) throw new AppError('invalid_input', `${named} holds no file that could be read`);
  files.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  return { path: named, isFolder: true, files };
}

async function collect(folder: string, below: string, depth: number, files: SourceFile[]): Promise<void> {
  if (depth > MAX_DEPTH)
    throw new AppError('invalid_input', `${folder} lies deeper than ${MAX_DEPTH} folders`);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = below ? `${below}/${entry.name}` : entry.name;
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) await collect(full, name, depth + 1, files);
    else if (entry.isFile()) {
      const file = await asFile(full, name);
      if (file) files.push(file);
    }
    if (files.length > MAX_FILES)
      throw new AppError('too_large', `more than ${MAX_FILES} files; name a folder with fewer`);
  }
}

/** Null for what is never opened. */
async function asFile(full: string, name: string): Promise<SourceFile | null> {
  const stats = await lstat(full);
  if (!stats.isFile() || PICKLES.test(name)) return null;
  if (stats.size > MAX_FILE_BYTES)
    throw new AppError('too_large', `${name} has ${stats.size} bytes, at most ${MAX_FILE_BYTES} are read`);
  return { name, path: full, bytes: stats.size };
}

/** The beginning of a source's first file, as text. */
export async function headOf(source: ImportSource): Promise<string> {
  const [file] = source.files;
  if (!file) return '';
  const handle = await open(file.path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
  } finally {
    await handle.close();
  }
}

/** SHA-256, hex, over the names and bytes of a source's files and over what was said of it. */
export async function contentHash(source: ImportSource, said: unknown): Promise<string> {
  const whole = createHash('sha256').update(JSON.stringify(said));
  for (const file of source.files) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file.path)) hash.update(chunk as Buffer);
    whole.update(JSON.stringify([source.isFolder ? file.name : '', hash.digest('hex')]));
  }
  return whole.digest('hex');
}
