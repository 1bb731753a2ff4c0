import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replay } from '@/rl/environments/babyai/transcript';
import { replayFile } from './replay-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(text: string): string {
  const path = join(folder, 'transcripts.jsonl');
  writeFileSync(path, text);
  return path;
}

/** Records say what their replay finds. */
function replay(record: unknown): Replay {
  return record as Replay;
}

const GOOD = JSON.stringify({ skipped: null, steps: 3, checks: 14, mismatches: [] });
const MISMATCH = { at: 1, what: 'observation', expected: '"a"', actual: '"b"' };

describe('replayFile', () => {
  it('adds up episodes, steps and checks, and counts skipped levels by name', async () => {
    const skipped = JSON.stringify({ skipped: 'BabyAI-GoToMoon-v0', steps: 0, checks: 0, mismatches: [] });
    const path = write([GOOD, skipped, GOOD, skipped].join('\n'));
    expect(await replayFile(path, replay)).toEqual({
      episodes: 2,
      steps: 6,
      checks: 28,
      skipped: new Map([['BabyAI-GoToMoon-v0', 2]]),
      mismatches: [],
    });
  });

  it('gives each mismatch its line, blank lines counted', async () => {
    const bad = JSON.stringify({ skipped: null, steps: 2, checks: 11, mismatches: [MISMATCH] });
    const path = write(`${GOOD}\n\n${bad}\n`);
    expect((await replayFile(path, replay)).mismatches).toEqual([{ line: 3, ...MISMATCH }]);
  });

  it('names file and line of malformed JSON', async () => {
    const path = write(`${GOOD}\n{"seed": \n`);
    await expect(replayFile(path, replay)).rejects.toThrow(`${path}:2: `);
  });

  it('names file and line of a record the environment refuses', async () => {
    const path = write(`${GOOD}\n`);
    const refuse = (): never => {
      throw new Error('seed: too small');
    };
    await expect(replayFile(path, refuse)).rejects.toThrow(`${path}:1: seed: too small`);
  });

  it('refuses an empty file and one that is not there', async () => {
    await expect(replayFile(write(''), replay)).rejects.toThrow(/is empty/);
    await expect(replayFile(join(folder, 'none.jsonl'), replay)).rejects.toThrow(/ENOENT.*none\.jsonl/);
  });
});
