import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { REPOSITORY_DIR } from './env';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vectors-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function vectors(
  ...argv: readonly string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = [join(REPOSITORY_DIR, 'scripts', 'run-ts.mjs'), 'workers/vectors-cli.ts', ...argv];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, program, { cwd: REPOSITORY_DIR }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

function write(advantages: readonly number[]): void {
  const cases = [
    { name: 'two', inputs: { rewards: [1, 0], epsilon: 0 }, outputs: { grpo_nostd: advantages } },
  ];
  writeFileSync(
    join(folder, 'rllm_calculate_grpo_advantages_per_group.json'),
    JSON.stringify({ tolerance: { relative: 0, absolute: 0 }, cases }),
  );
}

it('exits with 0 where all agree', async () => {
  write([0.5, -0.5]);
  const { code, stdout } = await vectors(folder);
  expect(stdout).toMatch(/\n {2}two\n1 cases, 0 mismatches\n$/);
  expect(code).toBe(0);
});

it('exits with 1 where something differs', async () => {
  write([0.5, 0.5]);
  const { code, stdout } = await vectors(folder);
  expect(stdout).toMatch(/two: MISMATCH grpo_nostd\.1: expected 0\.5, got -0\.5\n1 cases, 1 mismatches\n$/);
  expect(code).toBe(1);
});

it('exits with 2 where no folder is named', async () => {
  const { code, stderr } = await vectors();
  expect([code, stderr]).toEqual([2, 'Name one folder: npm run rl:vectors -- DIR\n']);
});
