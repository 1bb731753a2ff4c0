import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { AppError } from '@/contract/errors';

/** The largest archive of games unpacks to a fraction of it. */
const MOST_UNPACKED_BYTES = 2 ** 30;
const TOO_LARGE_CODES: readonly unknown[] = ['ERR_BUFFER_TOO_LARGE', 'ERR_FS_FILE_TOO_LARGE', 'ENOBUFS'];

/**
 * The tar archive in a `.tar`, `.tar.xz` or `.tar.gz`. Node knows gzip; for xz the system's program is used. Throws
 * naming `path` where it is none of them, damaged, or unpacks to more than 1 GiB.
 */
export function unpackArchive(path: string): Buffer {
  if (path.endsWith('.xz')) return unpackXz(path);
  if (!path.endsWith('.tar') && !path.endsWith('.gz')) {
    throw new AppError('invalid_input', `${path}: expected a folder, .tar, .tar.xz or .tar.gz`);
  }
  try {
    const bytes = readFileSync(path);
    return path.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED_BYTES }) : bytes;
  } catch (cause) {
    throw cannotUnpack(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function unpackXz(path: string): Buffer {
  const { error, status, stdout, stderr } = spawnSync('xz', ['-dc', '--', path], {
    maxBuffer: MOST_UNPACKED_BYTES,
  });
  if (status === 0) return stdout;
  if (error && codeOf(error) === 'ENOENT') {
    const advice = `${path} needs the program xz (Debian: apt install xz-utils), or unpack it by hand`;
    throw new AppError('unavailable', `${advice}: ${error.message}`, [], { cause: error });
  }
  throw cannotUnpack(path, error?.message ?? stderr.toString('utf8').trim(), error);
}

function cannotUnpack(path: string, said: string, cause: unknown): AppError {
  const why = TOO_LARGE_CODES.includes(codeOf(cause))
    ? `it holds more than ${MOST_UNPACKED_BYTES} bytes; unpack it by hand and name the folder`
    : said;
  return new AppError('invalid_input', `${path} cannot be unpacked: ${why}`, [], { cause });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
