import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { downloadFile, hashFile } from './resumed-download';
import { unzip } from './zip';

/** Where ALFWorld's releases lie. */
export const OFFICIAL_RELEASES = 'https://github.com/alfworld/alfworld/releases/download';

/**
 * Archives that upstream's alfworld-download fetches, in its order; all unpack into `json_2.1.1/`. The last has the game
 * files, which is all that is played; the others have what they were made from.
 */
export const OFFICIAL_ARCHIVES = [
  '0.2.2/json_2.1.1_json.zip',
  '0.2.2/json_2.1.1_pddl.zip',
  '0.4.2/json_2.1.3_tw-pddl.zip',
] as const;
export const GAMES_ARCHIVE = '0.4.2/json_2.1.3_tw-pddl.zip';

const FOLDER = 'downloads';
const LOCK_FILE = 'checksums.json';

/** SHA-256 by archive, in hexadecimal. */
const Lock = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));
type Lock = z.infer<typeof Lock>;

export interface Fetching {
  /** The data folder: archives in `downloads/`, games beside it. */
  dataDir: string;
  /** Address that the archives lie below. */
  from: string;
  archives: readonly string[];
  say: (line: string) => void;
  onProgress: (received: number, total: number | null) => void;
  signal: AbortSignal;
}

/**
 * Fetches archives and unpacks each into the data folder. Upstream publishes no checksums, so the first archive that
 * unpacks writes its own into `downloads/checksums.json`, and every later download must agree with it. An archive that was
 * put into `downloads/` by hand is taken as it is. Throws as `downloadFile` and `unzip` do, and `unavailable` where what
 * came is no archive, which is deleted.
 */
export async function fetchArchives(fetching: Fetching): Promise<void> {
  const { dataDir, archives, say } = fetching;
  const lockPath = join(dataDir, FOLDER, LOCK_FILE);
  mkdirSync(join(dataDir, FOLDER), { recursive: true });
  for (const archive of archives) {
    const name = fileName(archive);
    const path = join(dataDir, FOLDER, name);
    const { [name]: known = null, ...others } = readLock(lockPath);
    const sha256 =
      (await hashPresent(path, known, say)) ?? (await fetchArchive(archive, path, known, fetching));
    try {
      const files = unzip(path, dataDir, () => undefined);
      writeLock(lockPath, { ...others, [name]: sha256 });
      const note = known === null ? 'noted, since upstream publishes none' : 'as before';
      say(`${name}: SHA-256 ${sha256}, ${note}; ${files} files unpacked into ${dataDir}`);
    } catch (cause) {
      // An archive that is only too large for this reader can be unpacked by hand.
      if (!(cause instanceof AppError) || cause.code === 'too_large') throw cause;
      // Neither what is no archive nor its checksum may stand in the way of the true one.
      rmSync(path);
      writeLock(lockPath, others);
      throw new AppError('unavailable', `${cause.message}; it is deleted, again fetches it anew`, [], {
        cause,
      });
    }
  }
}

/** SHA-256 of an archive that is there already; null where there is none, or another than was known, which is deleted. */
async function hashPresent(path: string, known: string | null, say: Fetching['say']): Promise<string | null> {
  if (!existsSync(path)) return null;
  const found = await hashFile(path);
  if (known === null || found === known) {
    say(`${path} is there${known === null ? '' : ' and as before'}`);
    return found;
  }
  rmSync(path);
  say(`${path} had the SHA-256 ${found}, expected ${known}: it is fetched again`);
  return null;
}

async function fetchArchive(
  archive: string,
  path: string,
  known: string | null,
  { from, onProgress, signal }: Fetching,
): Promise<string> {
  const url = `${from.replace(/\/+$/, '')}/${archive}`;
  return await downloadFile({ url, path, sha256: known, onProgress, signal });
}

function fileName(archive: string): string {
  return archive.split('/').at(-1) ?? archive;
}

function readLock(path: string): Lock {
  if (!existsSync(path)) return {};
  try {
    return parseOrThrow(Lock, JSON.parse(readFileSync(path, 'utf8')), path);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid_input', `${path} is not JSON; delete it to start anew`, [], { cause });
  }
}

/** Whole or not at all. */
function writeLock(path: string, lock: Lock): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(lock, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** What to do where the network refuses. */
export function adviceByHand(dataDir: string, archives: readonly string[]): string {
  const addresses = archives.map((archive) => `  ${OFFICIAL_RELEASES}/${archive}`).join('\n');
  return `Without this address:
- fetch the archives elsewhere, put them into ${join(dataDir, FOLDER)}, and run this again:
${addresses}
- or name a mirror that has them below the same paths: --from URL
- or set ALFWORLD_DATA to a folder that has json_2.1.1/ already
- or train on the built-in games, environment household, which need no download`;
}
