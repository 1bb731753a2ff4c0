import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFileLock } from './file-lock';

describe('withFileLock', () => {
  let directory: string;
  let file: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'stepscope-lock-'));
    file = path.join(directory, 'lock');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('lets one in at a time and leaves nothing', async () => {
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 5 }, () =>
        withFileLock(file, async () => {
          most = Math.max(most, ++inside);
          await sleep(5);
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over from a holder that died', async () => {
    const { pid } = spawnSync('true');
    await writeFile(file, String(pid));
    expect(await withFileLock(file, () => Promise.resolve('in'))).toBe('in');
  });

  it('is released when the work throws', async () => {
    await expect(withFileLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });
});
