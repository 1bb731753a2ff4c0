import { open, readFile } from 'node:fs/promises';
import { AppError } from '@/contract/errors';

/** The text of a file, or null where it does not exist. */
export async function readTextIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new AppError('invalid_input', `${path}: cannot be read`, [], { cause: error });
  }
}

/** Writes a new file and syncs it to disk. */
export async function writeText(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Parses a JSON text; throws `invalid_input` naming the file it came from. */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError(
      'invalid_input',
      `${path}: not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      [],
      {
        cause,
      },
    );
  }
}
