import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { damaged, type SourceFile } from './importer';

const inflate = promisify(inflateRaw);

/** A file within an archive. */
export interface ZipEntry {
  name: string;
  method: number;
  packedBytes: number;
  bytes: number;
  offset: number;
}

const MAX_ENTRIES = 100_000;
const MAX_ENTRY_BYTES = 256 * 1024 * 1024;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
/** End of central directory with the longest comment there can be. */
const END_BYTES = 22 + 65_535;

/**
 * Reads a zip file's entries by its central directory, one at a time and within bounds; an entry is a stream of bytes under a
 * name, never a path to write to. Stored and deflated entries are read.
 */
export class ZipFile {
  private constructor(
    private readonly handle: FileHandle,
    private readonly file: SourceFile,
    readonly entries: readonly ZipEntry[],
  ) {}

  static async open(file: SourceFile): Promise<ZipFile> {
    const handle = await open(file.path);
    try {
      return new ZipFile(handle, file, await readDirectory(handle, file));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** An entry's text. Throws `invalid_input` where it is damaged, packed otherwise or longer than it says. */
  async text(entry: ZipEntry): Promise<string> {
    const place = `${this.file.name}, ${entry.name}`;
    if (entry.bytes > MAX_ENTRY_BYTES)
      throw damaged(place, null, `${entry.bytes} bytes, at most ${MAX_ENTRY_BYTES} are read`);
    const header = await this.bytes(entry.offset, 30);
    if (header.readUInt32LE(0) !== 0x04034b50)
      throw damaged(place, null, 'no entry begins where the directory says');
    const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = await this.bytes(start, entry.packedBytes);
    if (entry.method === 0) return packed.toString('utf8');
    if (entry.method !== 8)
      throw damaged(place, null, `packed by method ${entry.method}; expected 0 (stored) or 8 (deflated)`);
    const plain = await inflate(packed, { maxOutputLength: MAX_ENTRY_BYTES }).catch((error: unknown) => {
      throw damaged(place, null, error instanceof Error ? error.message : String(error));
    });
    return plain.toString('utf8');
  }

  private bytes(offset: number, length: number): Promise<Buffer> {
    return readExactly(this.handle, this.file, offset, length);
  }
}

async function readExactly(
  handle: FileHandle,
  file: SourceFile,
  offset: number,
  length: number,
): Promise<Buffer> {
  if (offset < 0 || offset + length > file.bytes) throw damaged(file.name, null, 'the archive is cut off');
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead !== length) throw damaged(file.name, null, 'the archive is cut off');
  return buffer;
}

async function readDirectory(handle: FileHandle, file: SourceFile): Promise<ZipEntry[]> {
  const tailBytes = Math.min(file.bytes, END_BYTES);
  const tail = await readExactly(handle, file, file.bytes - tailBytes, tailBytes);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || end + 22 > tail.length)
    throw damaged(file.name, null, 'no zip archive, or one that is cut off');
  const count = tail.readUInt16LE(end + 10);
  const size = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  if (count === 0xffff || offset === 0xffffffff)
    throw damaged(file.name, null, 'a zip64 archive, which is not read; unpack it to JSON first');
  if (count > MAX_ENTRIES || size > MAX_DIRECTORY_BYTES)
    throw damaged(file.name, null, `${count} entries, at most ${MAX_ENTRIES} are read`);
  return [...entriesOf(await readExactly(handle, file, offset, size), file, count)];
}

function* entriesOf(directory: Buffer, file: SourceFile, count: number): Generator<ZipEntry> {
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw damaged(file.name, null, `entry ${index + 1} of the archive's directory is damaged`);
    const nameBytes = directory.readUInt16LE(at + 28);
    yield {
      name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
      method: directory.readUInt16LE(at + 10),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    };
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
}
