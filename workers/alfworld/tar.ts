import { AppError } from '@/contract/errors';

const BLOCK = 512;
/** Types of headers that name the entry after them: GNU's long names and POSIX' extended headers. */
const LONG_NAME = 'L';
const EXTENDED = 'x';
const FILE_TYPES = new Set(['0', '\0']);

/**
 * Files of a tar archive by path, as views of its bytes; folders, links and devices are left out. Throws `invalid_input`
 * naming `file` and the byte where the archive is damaged or cut off.
 */
export function readTar(bytes: Buffer, file: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let longName: string | null = null;
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    checkHeader(header, file, at);
    const size = octal(header, 124, 12);
    if (!(size >= 0))
      throw new AppError('invalid_input', `${file} is damaged at byte ${at}: a size that is none`);
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (body.length < size) throw new AppError('invalid_input', `${file} is cut off at byte ${bytes.length}`);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === LONG_NAME) longName = text(body, 0, size);
    else if (type === EXTENDED) longName = extendedPath(body) ?? longName;
    else {
      if (FILE_TYPES.has(type)) files.set(longName ?? shortName(header), body);
      longName = null;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new AppError('invalid_input', `${file} is cut off at byte ${bytes.length}`);
}

/** The sum of the header's bytes, its own field read as spaces. */
function checkHeader(header: Buffer, file: string, at: number): void {
  let sum = 0;
  header.forEach((byte, index) => (sum += index >= 148 && index < 156 ? 32 : byte));
  if (sum !== octal(header, 148, 8)) {
    throw new AppError('invalid_input', `${file} is not a tar archive, or damaged, at byte ${at}`);
  }
}

function shortName(header: Buffer): string {
  const name = text(header, 0, 100);
  // Old GNU archives keep times where POSIX keeps the start of a long name.
  const isPosix = text(header, 257, 6) === 'ustar' && header[263] === 0x30;
  const prefix = isPosix ? text(header, 345, 155) : '';
  return prefix ? `${prefix}/${name}` : name;
}

/** Records of `LENGTH KEY=VALUE\n`. */
function extendedPath(body: Buffer): string | null {
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(' ', at);
    const length = Number(body.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= 0) return null;
    const record = body.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return null;
}

/** Up to the first zero byte. */
function text(bytes: Buffer, from: number, length: number): string {
  const field = bytes.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

function octal(bytes: Buffer, from: number, length: number): number {
  return parseInt(text(bytes, from, length).trim() || '0', 8);
}
