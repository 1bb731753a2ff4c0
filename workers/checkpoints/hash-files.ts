import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { AppError } from '@/contract/errors';
import { RelativePath, type CheckpointFile } from '@/contract/checkpoint';

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Every file below `dir`, sorted by path, with sizes in bytes. Throws `invalid_input` naming a path that cannot be sent. */
export async function hashFolder(dir: string): Promise<CheckpointFile[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const files: CheckpointFile[] = [];
  for (const path of paths) {
    if (!RelativePath.safeParse(path).success)
      throw new AppError(
        'invalid_input',
        `checkpoint file ${JSON.stringify(path)} has a name that cannot be sent`,
      );
    const full = join(dir, path);
    files.push({ path, sha256: await sha256OfFile(full), size: (await stat(full)).size });
  }
  return files;
}

/** Whether `dir` holds all of these files, byte for byte. */
export async function holdsFiles(dir: string, files: readonly CheckpointFile[]): Promise<boolean> {
  for (const file of files) {
    const path = join(dir, file.path);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile() || found.size !== file.size || (await sha256OfFile(path)) !== file.sha256)
      return false;
  }
  return true;
}
