/** A checkpoint as a tar archive: POSIX ustar, https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html. */

const BLOCK = 512;
/** Sizes are eleven octal digits. */
const MAX_FILE_BYTES = 8 ** 11 - 1;

export interface ArchivedFile {
  /** At most 100 bytes. */
  name: string;
  size: number;
  modifiedMs: number;
  content(): AsyncIterable<Uint8Array>;
}

/** Bytes of an archive of these files, read as they are sent. Throws where a file does not fit the format. */
export async function* tarBytes(files: readonly ArchivedFile[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield header(file);
    let sent = 0;
    for await (const chunk of file.content()) {
      sent += chunk.length;
      yield chunk;
    }
    if (sent !== file.size) throw new Error(`${file.name} has ${sent} bytes, it had ${file.size}`);
    yield new Uint8Array((BLOCK - (file.size % BLOCK)) % BLOCK);
  }
  yield new Uint8Array(2 * BLOCK);
}

function header({ name, size, modifiedMs }: ArchivedFile): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100 || size > MAX_FILE_BYTES)
    throw new Error(`${name} of ${size} bytes does not fit a ustar archive`);
  block.write(name, 0);
  block.write(octal(0o644, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(Math.floor(modifiedMs / 1000), 11), 136);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\0' + '00', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
