import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replay } from '@/rl/environments/replay';
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

const EPISODE = { episode: 'babyai/Open/7', skipped: null, turns: 3, compared: 14, mismatches: [] };
const GOOD = JSON.stringify(EPISODE);
const MISMATCH = { at: 1, what: 'observation', expected: '"a"', actual: '"b"' };

describe('replayFile', () => {
  it('adds up episodes, turns and compared values, and lists what upstream did not start', async () => {
    const skipped = JSON.stringify({ ...EPISODE, skipped: 'KeyError(0)', turns: 0, compared: 0 });
    const path = write([GOOD, skipped, GOOD].join('\n'));
    expect(await replayFile(path, replay)).toEqual({
      episodes: 2,
      turns: 6,
      compared: 28,
      skipped: [{ line: 2, episode: 'babyai/Open/7', error: 'KeyError(0)' }],
      mismatches: [],
    });
  });

  it('gives each mismatch its episode and its line, blank lines counted', async () => {
    const bad = JSON.stringify({ ...EPISODE, mismatches: [MISMATCH] });
    const path = write(`${GOOD}\n\n${bad}\n`);
    expect((await replayFile(path, replay)).mismatches).toEqual([
      { line: 3, episode: 'babyai/Open/7', ...MISMATCH },
    ]);
  });

  it('waits for replays that take their time', async () => {
    const path = write(`${GOOD}\n`);
    const result = await replayFile(path, (record) => Promise.resolve(replay(record)));
    expect(result.compared).toBe(14);
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

  it('reads lines that end as on Windows, and a last line without an end', async () => {
    const path = write(`${GOOD}\r\n\r\n${GOOD}`);
    expect(await replayFile(path, replay)).toMatchObject({ episodes: 2, compared: 28 });
  });

  it('takes separators of lines and paragraphs within a text as text', async () => {
    const mismatch = { ...MISMATCH, actual: 'a\u2028b\u2029c\u0085d' };
    const path = write(`${JSON.stringify({ ...EPISODE, mismatches: [mismatch] })}\n`);
    expect((await replayFile(path, replay)).mismatches).toMatchObject([mismatch]);
  });

  it('reads episodes longer than what is read at once', async () => {
    const mismatch = { ...MISMATCH, actual: 'é'.repeat(200_001) };
    const path = write(`${GOOD}\n${JSON.stringify({ ...EPISODE, mismatches: [mismatch] })}\n${GOOD}`);
    expect(await replayFile(path, replay)).toMatchObject({ episodes: 3, mismatches: [mismatch] });
  });

  it('refuses a folder, and says where it looked for a path from here', async () => {
    await expect(replayFile(folder, replay)).rejects.toThrow(`${folder} is a folder`);
    await expect(replayFile('none.jsonl', replay)).rejects.toThrow(`${resolve('none.jsonl')} cannot be read`);
  });

  it('refuses a file without a transcript and one that is not there', async () => {
    await expect(replayFile(write(''), replay)).rejects.toThrow(/holds no transcript/);
    await expect(replayFile(write('\n\n'), replay)).rejects.toThrow(/holds no transcript/);
    await expect(replayFile(join(folder, 'none.jsonl'), replay)).rejects.toThrow(/ENOENT.*none\.jsonl/);
  });
});
