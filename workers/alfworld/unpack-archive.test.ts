import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unpackArchive } from './unpack-archive';

const canUnpackXz = spawnSync('xz', ['--version']).status === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, bytes: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe('unpackArchive', () => {
  it('takes plain archives and packed ones', () => {
    expect(unpackArchive(write('a.tar', 'tar')).toString()).toBe('tar');
    expect(unpackArchive(write('a.tar.gz', gzipSync('tar'))).toString()).toBe('tar');
  });

  it('names the file that cannot be unpacked, and why', () => {
    const path = write('junk.tar.gz', 'junk');
    expect(() => unpackArchive(path)).toThrow(`${path} cannot be unpacked: incorrect header check`);
  });

  it('names the file that unpacks to more than a gibibyte', { timeout: 120_000 }, () => {
    const mebibytes = gzipSync(Buffer.alloc(2 ** 24));
    // Packed files one after the other unpack to one.
    const path = write('zeros.tar.gz', Buffer.concat(Array.from({ length: 65 }, () => mebibytes)));
    expect(() => unpackArchive(path)).toThrow(`${path} cannot be unpacked: it holds more than 1073741824`);
  });

  it.skipIf(!canUnpackXz)('names the file that xz refuses (xz)', () => {
    const path = write('junk.tar.xz', 'junk');
    expect(() => unpackArchive(path)).toThrow(`${path} cannot be unpacked: xz: `);
  });

  it('says what is expected of another file', () => {
    expect(() => unpackArchive('/etc/passwd')).toThrow('/etc/passwd: expected a folder, .tar, .tar.xz or');
  });
});
