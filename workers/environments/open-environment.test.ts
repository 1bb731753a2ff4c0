import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { offeredEnvironments } from './open-environment';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'alfworld-'));
  vi.stubEnv('ALFWORLD_DATA', data);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true });
});

it('offers ALFWorld where its games are, not for a folder alone', () => {
  expect(offeredEnvironments()).not.toContain('alfworld');
  mkdirSync(join(data, 'json_2.1.1', 'valid_seen'), { recursive: true });
  expect(offeredEnvironments()).toContain('alfworld');
});
