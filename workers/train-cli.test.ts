import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { REPOSITORY_DIR } from './env';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-train-cli-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

it('a model that cannot be opened leaves no folder that would count as a run', async () => {
  const out = join(dir, 'out');
  const argv = [
    '--recipe',
    'grpo',
    '--preset',
    'verify',
    '--set',
    'engine.model=models/absent',
    '--out',
    out,
  ];
  const program = join(REPOSITORY_DIR, 'scripts', 'run-ts.mjs');
  const ended = promisify(execFile)(process.execPath, [program, 'workers/train-cli.ts', ...argv], {
    cwd: REPOSITORY_DIR,
  });
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('models/absent/config.json: not found') as string,
  });
  expect(existsSync(out)).toBe(false);
});
