import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { CodeVersion } from '@/contract/code-version';
import { REPOSITORY_DIR } from './env';

const run = promisify(execFile);
/** A checkout on a slow disk answers later than that, and its commit is then not known. */
const GIT_TIMEOUT_MS = 10_000;

const Package = z.object({ version: z.string() });

/** What code this checkout holds: its version, and its commit where git knows one. */
export async function codeVersion(dir = REPOSITORY_DIR): Promise<CodeVersion> {
  const { version } = Package.parse(JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')));
  try {
    const top = (await git(dir, 'rev-parse', '--show-toplevel')).trim();
    const prefix = (await git(dir, 'rev-parse', '--show-prefix')).trim();
    // A folder without a history of its own within another checkout has not that one's commit.
    if (top === '' || prefix !== '') return { version, commit: null, dirty: null };
    const commit = (await git(dir, 'rev-parse', 'HEAD')).trim();
    const changed = await git(dir, 'status', '--porcelain', '--untracked-files=no');
    return { version, commit, dirty: changed !== '' };
  } catch {
    return { version, commit: null, dirty: null };
  }
}

async function git(dir: string, ...argv: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', dir, ...argv], { timeout: GIT_TIMEOUT_MS });
  return stdout;
}
