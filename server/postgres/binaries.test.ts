import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReachable } from './binaries';

describe('isReachable', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'stepscope-reach-'));
    await chmod(directory, 0o755);
    await mkdir(path.join(directory, 'closed', 'open'), { recursive: true });
    await chmod(path.join(directory, 'closed'), 0o700);
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('asks that every folder on the way lets others through', () => {
    expect(isReachable(directory)).toBe(true);
    expect(isReachable(path.join(directory, 'closed'))).toBe(false);
    expect(isReachable(path.join(directory, 'closed', 'open'))).toBe(false);
  });

  it('judges a folder that is yet to be made by those above it', () => {
    expect(isReachable(path.join(directory, 'new', 'newer'))).toBe(true);
    expect(isReachable(path.join(directory, 'closed', 'new'))).toBe(false);
  });
});
