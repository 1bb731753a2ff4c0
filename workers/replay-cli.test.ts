import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REPOSITORY_DIR } from './env';

const GOLDEN = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'golden');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function replay(
  ...argv: readonly string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = [join(REPOSITORY_DIR, 'scripts', 'run-ts.mjs'), 'workers/replay-cli.ts', ...argv];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, program, { cwd: REPOSITORY_DIR }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

function write(text: string): string {
  const path = join(folder, 'transcripts.jsonl');
  writeFileSync(path, text);
  return path;
}

describe.skipIf(!existsSync(GOLDEN))('env:replay on golden transcripts (STEPSCOPE_DATA)', () => {
  const first = (file: string) => readFileSync(join(GOLDEN, file), 'utf8').split('\n')[0] ?? '';

  it.each([
    { environment: 'babyai', file: 'babyai_agentgym.jsonl' },
    { environment: 'babyai-text', file: 'babyai_text.jsonl' },
    { environment: 'alfworld', file: 'golden_v1_211.jsonl' },
    { environment: 'alfworld', file: 'golden_v2_05.jsonl' },
  ])('exits with 0 where $environment agrees', async ({ environment, file }) => {
    const { code, stdout } = await replay(environment, write(first(file)));
    expect(stdout).toMatch(/\n\d+ compared, 0 mismatches\n$/);
    expect(code).toBe(0);
  });

  it('exits with 2 where --games names a folder without the game', async () => {
    const { code, stderr } = await replay('alfworld', '--games', folder, write(first('golden_v1_211.jsonl')));
    expect(stderr).toMatch(/transcripts\.jsonl:1: There is no game file .*game\.tw-pddl/);
    expect(code).toBe(2);
  });

  it('exits with 1 where something differs, and names the episode', async () => {
    const { code, stdout } = await replay(
      'babyai-text',
      write(first('babyai_text.jsonl').replace('"done": false', '"done": true')),
    );
    expect(stdout).toMatch(
      /first difference: .*transcripts\.jsonl:1, babyai-text\/GoToAfterPickUpLocal\/go_to_after_pick_up\/100, step 0/,
    );
    expect(stdout).toMatch(/\n\d+ compared, 1 mismatches\n$/);
    expect(code).toBe(1);
  });

  it('exits with 2 on a level that there is not, which it names', async () => {
    const moon = first('babyai_text.jsonl').replace('Level_GoToAfterPickUpLocal', 'Level_GoToMoon');
    const { code, stderr } = await replay('babyai-text', write(moon));
    expect(stderr).toMatch(/transcripts\.jsonl:1: There is no BabyAI-Text level "GoToMoon"\. Levels: /);
    expect(code).toBe(2);
  });
});

it('exits with 2 on wrong arguments', async () => {
  const { code, stderr } = await replay('chess', 'file.jsonl');
  expect(stderr).toContain('must be one of babyai, babyai-text');
  expect(code).toBe(2);
});
