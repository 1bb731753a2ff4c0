import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTar } from './tar';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tar-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const LONG = join('a'.repeat(90), 'b'.repeat(90), 'file.txt');
const canTar = spawnSync('tar', ['--version']).status === 0;

function archive(format: string): Buffer {
  mkdirSync(join(folder, LONG, '..'), { recursive: true });
  writeFileSync(join(folder, LONG), 'long');
  writeFileSync(join(folder, 'short.txt'), 'x'.repeat(1000));
  writeFileSync(join(folder, 'empty.txt'), '');
  symlinkSync('/etc/passwd', join(folder, 'link'));
  const argv = [
    '-c',
    `--format=${format}`,
    '-C',
    folder,
    '-f',
    '-',
    'short.txt',
    'empty.txt',
    'link',
    'a'.repeat(90),
  ];
  return spawnSync('tar', argv).stdout;
}

/** The archive with another size in its first header, whose checksum is set right. */
function withSize(bytes: Buffer, size: string): Buffer {
  const changed = Buffer.from(bytes);
  changed.write(size, 124, 'latin1');
  changed.fill(' ', 148, 156);
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return changed;
}

describe.skipIf(!canTar)('readTar (tar)', () => {
  it.each(['ustar', 'gnu', 'pax'])('reads files of any length of name from a %s archive', (format) => {
    const files = readTar(archive(format), 'a.tar');
    expect([...files].map(([path, bytes]) => [path, bytes.length])).toEqual([
      ['short.txt', 1000],
      ['empty.txt', 0],
      [LONG, 4],
    ]);
  });

  it('names file and byte of damage and of a cut', () => {
    const bytes = archive('ustar');
    expect(() => readTar(bytes.subarray(0, 900), 'a.tar')).toThrow('a.tar is cut off at byte 900');
    expect(() => readTar(bytes.subarray(0, 2048), 'a.tar')).toThrow('a.tar is cut off at byte 2048');
    expect(() => readTar(withSize(bytes, '-0000001000'), 'a.tar')).toThrow(
      'a.tar is damaged at byte 0: a size',
    );
    bytes[5] = 0x7f;
    expect(() => readTar(bytes, 'a.tar')).toThrow('a.tar is not a tar archive, or damaged, at byte 0');
    expect(() => readTar(Buffer.alloc(2048, 'noise'), 'a.tar')).toThrow(/not a tar archive/);
  });
});
