import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Secret } from '../engines/tinker/secret';
import { OutputTail } from './output-tail';

async function linesOf(chunks: readonly string[]): Promise<{ lines: string[]; tail: OutputTail }> {
  const lines: string[] = [];
  const tail = new OutputTail([new Secret('tml-secret')], (line) => lines.push(line));
  const stream = new PassThrough();
  tail.follow(stream);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await once(stream, 'end');
  return { lines, tail };
}

describe('what a program wrote', () => {
  it('is read line by line, wherever it was cut, the last line without its end', async () => {
    const { lines } = await linesOf(['load', 'ing\nready', '\r\n\n10%\r100%\nbye']);
    expect(lines).toEqual(['loading', 'ready', '10%', '100%', 'bye']);
  });

  it('never shows a secret, even one that came in two pieces', async () => {
    const { lines, tail } = await linesOf(['key tml-', 'secret, again tml-secret\n']);
    expect(lines).toEqual(['key [secret], again [secret]']);
    expect(tail.text).not.toContain('tml-');
  });

  it('never shows the beginning of a secret where a line is cut', async () => {
    const { lines } = await linesOf([
      `${'x'.repeat(1995)}tml-secret\n`,
      // Ten hidden secrets make room for what was read past the end.
      `${'tml-secret '.repeat(10)}${'x'.repeat(2251 - 110)}tml-secret and on\n`,
    ]);
    expect(lines.map((line) => line.slice(-10))).toEqual(['xxxxx[secr', 'xxxxxxxxxx']);
  });

  it('never shows a password within an address', async () => {
    const { lines } = await linesOf(['to postgres://agent:pw@db:5432/runs, from http://127.0.0.1:8000/v1\n']);
    expect(lines).toEqual(['to postgres://agent:[secret]@db:5432/runs, from http://127.0.0.1:8000/v1']);
  });

  it('is kept to its last 20 lines, each bounded', async () => {
    const { tail } = await linesOf([
      ...Array.from({ length: 30 }, (_, index) => `line ${index}\n`),
      'x'.repeat(100_000),
    ]);
    const kept = tail.text.split('\n');
    expect(kept).toHaveLength(20);
    expect(kept[0]).toBe('line 11');
    expect(kept[19]).toHaveLength(2000);
  });
});
