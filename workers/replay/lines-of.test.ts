import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linesOf } from './lines-of';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lines-'));
  path = join(folder, 'lines.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function readLines(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(path)) lines.push(line);
  return lines;
}

function linesFrom(text: string): Promise<string[]> {
  writeFileSync(path, text);
  return readLines();
}

describe('linesOf', () => {
  it('breaks lines at line feeds, wherever the chunks of the file end', async () => {
    const lines = ['', 'a', 'ä€😀'.repeat(50_000), '', 'b'.repeat(65_535), 'c\u2028d\r', 'e'];
    expect(await linesFrom(lines.join('\n'))).toEqual(lines);
    expect(await linesFrom('a\n')).toEqual(['a', '']);
    expect(await linesFrom('')).toEqual(['']);
  });

  it('passes over a byte-order mark at the start alone', async () => {
    expect(await linesFrom('\uFEFFa\n\uFEFFb')).toEqual(['a', '\uFEFFb']);
  });

  it('reads a long line in time that grows with its length', { timeout: 20_000 }, async () => {
    const [line] = await linesFrom('x'.repeat(128_000_000));
    expect(line).toHaveLength(128_000_000);
  });

  it('names file and line of a line that has no end', { timeout: 20_000 }, async () => {
    writeFileSync(path, 'a\n');
    truncateSync(path, 300_000_000);
    appendFileSync(path, '\n');
    await expect(readLines()).rejects.toThrow(`${path}:2: longer than 256000000 bytes`);
  });
});
