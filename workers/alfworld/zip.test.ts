import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeZip } from './testing/make-zip';
import { unzip } from './zip';

let root: string;
let folder: string;
let archive: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'zip-'));
  folder = join(root, 'data');
  archive = join(root, 'a.zip');
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true }));

function unpack(bytes: Buffer): number {
  writeFileSync(archive, bytes);
  return unzip(archive, folder, () => undefined);
}

describe('unzip', () => {
  it('writes files, packed or stored, below the folder', () => {
    const text = 'game '.repeat(1000);
    const bytes = makeZip([
      { path: 'x/' },
      { path: 'x/packed.txt', text },
      { path: 'stored.txt', text, stored: true },
    ]);
    expect(unpack(bytes)).toBe(2);
    expect(readFileSync(join(folder, 'x/packed.txt'), 'utf8')).toBe(text);
    expect(readFileSync(join(folder, 'stored.txt'), 'utf8')).toBe(text);
  });

  it.each(['../out.txt', '/etc/out.txt', 'a/../../out.txt', 'a\\..\\out.txt', 'a/../b.txt', 'nul\0.txt'])(
    'refuses the whole archive for the path %j, before it writes anything',
    (path) => {
      expect(() =>
        unpack(
          makeZip([
            { path: 'good.txt', text: 'x' },
            { path, text: 'x' },
          ]),
        ),
      ).toThrow(/leaves the folder/);
      expect(readdirSync(folder)).toEqual([]);
      expect(existsSync(join(root, 'out.txt'))).toBe(false);
    },
  );

  it('refuses links', () => {
    expect(() => unpack(makeZip([{ path: 'link', text: '/etc/passwd', mode: 0o120777 }]))).toThrow(
      '"link" is a link',
    );
  });

  it('names what is damaged, cut off, or no archive', () => {
    const bytes = makeZip([{ path: 'a.txt', text: 'game '.repeat(1000) }]);
    expect(() => unpack(bytes.subarray(0, bytes.length - 30))).toThrow(
      /a\.zip: not a zip archive, or cut off/,
    );
    expect(() => unpack(Buffer.alloc(100_000, 'noise'))).toThrow(/not a zip archive/);
    expect(() => unpack(Buffer.alloc(0))).toThrow(/not a zip archive/);
    const endless = Buffer.from(bytes);
    const packedBytesAt = endless.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 20;
    endless.writeUInt32LE(0xfffffff0, packedBytesAt);
    expect(() => unpack(endless)).toThrow(/a\.zip: cut off/);
    const damaged = Buffer.from(bytes);
    damaged[40] = (damaged[40] ?? 0) ^ 0xff;
    expect(() => unpack(damaged)).toThrow(/a\.txt is damaged/);
  });

  it('refuses an entry that holds more than it announces', () => {
    const bytes = makeZip([{ path: 'bomb.txt', text: 'x'.repeat(100_000), announcedBytes: 10 }]);
    expect(() => unpack(bytes)).toThrow(/bomb\.txt is damaged/);
  });
});
