import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replay } from '@/rl/environments/replay';
import { replayCommand, type Replayers } from './replay-command';

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-'));
  lines = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Records say what their replay finds. */
const REPLAYERS: Replayers = {
  maze: () => (record) => record as Replay,
  chess: () => (record) => record as Replay,
};

const GOOD: Replay = { episode: 'maze/Long/1', skipped: null, turns: 2, compared: 9, mismatches: [] };
const BAD: Replay = {
  ...GOOD,
  episode: 'maze/Long/2',
  mismatches: [
    { at: 1, what: 'observation', expected: '"a wall"', actual: '"a door"' },
    { at: 'reset', what: 'pose', expected: '[1,2,0]', actual: '[1,2,3]' },
  ],
};

function write(name: string, records: readonly Replay[]): string {
  const path = join(folder, name);
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'));
  return path;
}

function run(...argv: readonly string[]): Promise<boolean> {
  return replayCommand(argv, REPLAYERS, (line) => lines.push(line));
}

describe('replayCommand', () => {
  it('reports each file and ends with one line of sums', async () => {
    const [one, two] = [write('one.jsonl', [GOOD, GOOD]), write('two.jsonl', [GOOD])];
    expect(await run('maze', one, two)).toBe(true);
    expect(lines).toEqual([
      `${one}: 2 episodes, 4 turns, 18 compared, 0 mismatches`,
      `${two}: 1 episodes, 2 turns, 9 compared, 0 mismatches`,
      '27 compared, 0 mismatches',
    ]);
  });

  it('names the first difference with file, line, episode and step, and says that not all agree', async () => {
    const [one, two] = [write('one.jsonl', [GOOD]), write('two.jsonl', [GOOD, BAD])];
    expect(await run('maze', one, two)).toBe(false);
    expect(lines.slice(-4)).toEqual([
      `first difference: ${two}:2, maze/Long/2, step 1 (turn 2), observation`,
      '    expected "a wall"',
      '    actual   "a door"',
      '27 compared, 2 mismatches',
    ]);
  });

  it('says which episodes upstream did not start', async () => {
    const path = write('one.jsonl', [GOOD, { ...GOOD, skipped: 'KeyError(0)' }]);
    expect(await run('maze', path)).toBe(true);
    expect(lines[1]).toBe('  line 2, maze/Long/1: skipped, upstream did not start it (KeyError(0))');
  });

  it('refuses an unknown environment and a call without files', async () => {
    await expect(run('toString', 'file')).rejects.toThrow('one of maze, chess, got toString');
    await expect(run()).rejects.toThrow('one of maze, chess, got nothing');
    await expect(run('maze')).rejects.toThrow('npm run env:replay -- maze FILE...');
    expect(lines).toEqual([]);
  });
});
