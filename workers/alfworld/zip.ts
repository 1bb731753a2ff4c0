import { closeSync, mkdirSync, openSync, readSync, fstatSync, writeFileSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { AppError } from '@/contract/errors';

interface ZipEntry {
  path: string;
  method: number;
  crc: number;
  packedBytes: number;
  bytes: number;
  /** Of the entry's own header. */
  offset: number;
}

const END = { signature: 0x06054b50, bytes: 22, longestComment: 0xffff };
const ENTRY = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const STORED = 0;
const DEFLATED = 8;
const LINK_MODE = 0o120000;

/** Far above any file or archive of ALFWorld. */
const MOST_FILE_BYTES = 2 ** 28;
const MOST_BYTES = 2 ** 34;

/**
 * Unpacks a zip archive into a folder and answers the number of files. Every path is checked before anything is written:
 * one that leaves the folder, a link, a sum of sizes above 16 GiB refuse the whole archive. Throws naming archive and
 * entry: `too_large`, and `invalid_input` for the rest, damage too.
 */
export function unzip(archive: string, folder: string, onFile: (done: number, of: number) => void): number {
  const file = openSync(archive, 'r');
  try {
    const entries = readEntries(file, archive);
    const targets = entries.map((entry) => ({ entry, target: targetOf(entry, folder, archive) }));
    const files = targets.filter(({ entry }) => !entry.path.endsWith('/'));
    files.forEach(({ entry, target }, index) => {
      const bytes = unpackEntry(file, entry, archive);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
      onFile(index + 1, files.length);
    });
    return files.length;
  } finally {
    closeSync(file);
  }
}

function targetOf({ path }: ZipEntry, folder: string, archive: string): string {
  const root = resolve(folder);
  const target = resolve(root, path);
  const leaves =
    path.startsWith('/') || /[\\\0]/.test(path) || !`${target}${sep}`.startsWith(`${root}${sep}`);
  if (leaves || path.split('/').includes('..')) {
    throw bad(archive, `the path ${JSON.stringify(path)} leaves the folder`);
  }
  return target;
}

function readEntries(file: number, archive: string): ZipEntry[] {
  const { size } = fstatSync(file);
  const tailBytes = Math.min(size, END.bytes + END.longestComment);
  const tail = read(file, size - tailBytes, tailBytes, archive);
  let at = tailBytes - END.bytes;
  while (at >= 0 && tail.readUInt32LE(at) !== END.signature) at--;
  if (at < 0) throw bad(archive, 'not a zip archive, or cut off');
  const [count, bytes, offset] = [
    tail.readUInt16LE(at + 10),
    tail.readUInt32LE(at + 12),
    tail.readUInt32LE(at + 16),
  ];
  if (count === 0xffff || offset === 0xffffffff) {
    throw tooLarge(archive, 'too large for this reader (zip64); unpack it by hand');
  }
  return parseEntries(read(file, offset, bytes, archive), count, archive);
}

function parseEntries(directory: Buffer, count: number, archive: string): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let sum = 0;
  for (let at = 0; entries.length < count;) {
    if (at + ENTRY.bytes > directory.length || directory.readUInt32LE(at) !== ENTRY.signature) {
      throw bad(archive, `the directory is damaged at entry ${entries.length}`);
    }
    const field = (offset: number) => directory.readUInt16LE(at + offset);
    const [nameBytes, extraBytes, commentBytes] = [field(28), field(30), field(32)];
    const entry: ZipEntry = {
      path: directory.toString('utf8', at + ENTRY.bytes, at + ENTRY.bytes + nameBytes),
      method: field(10),
      crc: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    };
    const mode = directory.readUInt32LE(at + 38) >>> 16;
    if ((mode & 0o170000) === LINK_MODE) throw bad(archive, `${JSON.stringify(entry.path)} is a link`);
    sum += entry.bytes;
    if (entry.bytes > MOST_FILE_BYTES || sum > MOST_BYTES)
      throw tooLarge(archive, `${entry.path} makes it too large`);
    entries.push(entry);
    at += ENTRY.bytes + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

function unpackEntry(file: number, entry: ZipEntry, archive: string): Buffer {
  const { path, method, crc, packedBytes, bytes, offset } = entry;
  const header = read(file, offset, LOCAL.bytes, archive);
  if (header.readUInt32LE(0) !== LOCAL.signature) throw bad(archive, `${path} is damaged`);
  const start = offset + LOCAL.bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = read(file, start, packedBytes, archive);
  if (method !== STORED && method !== DEFLATED)
    throw bad(archive, `${path} is packed by the unknown method ${method}`);
  const unpacked = method === STORED ? packed : inflate(packed, bytes, path, archive);
  if (unpacked.length !== bytes || crc32(unpacked) !== crc) throw bad(archive, `${path} is damaged`);
  return unpacked;
}

function inflate(packed: Buffer, bytes: number, path: string, archive: string): Buffer {
  try {
    // One byte more than is announced, so that an entry that holds more is found out.
    return inflateRawSync(packed, { maxOutputLength: bytes + 1 });
  } catch (cause) {
    throw bad(archive, `${path} is damaged`, cause);
  }
}

function read(file: number, offset: number, bytes: number, archive: string): Buffer {
  // Before memory is taken: a damaged size may be gigabytes.
  if (offset + bytes > fstatSync(file).size) throw bad(archive, 'cut off');
  const buffer = Buffer.alloc(bytes);
  if (readSync(file, buffer, 0, bytes, offset) < bytes) throw bad(archive, 'cut off');
  return buffer;
}

function bad(archive: string, message: string, cause?: unknown): AppError {
  return new AppError('invalid_input', `${archive}: ${message}`, [], { cause });
}

function tooLarge(archive: string, message: string): AppError {
  return new AppError('too_large', `${archive}: ${message}`);
}
