import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { AppError } from '@/contract/errors';

const READ_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** A file of lines that grows at its end. Only whole lines are ever read, and a failed write leaves none behind. */
export class SegmentFile {
  private constructor(
    readonly path: string,
    private readonly fd: number,
    /** Bytes of whole lines. */
    private length: number,
  ) {}

  static create(path: string): SegmentFile {
    return new SegmentFile(path, openSync(path, 'ax+'), 0);
  }

  /** Opens what an earlier process wrote. A last line without its end was cut off by a crash and is dropped. */
  static recover(path: string): SegmentFile {
    if (!existsSync(path)) throw new AppError('not_found', `outbox file ${path} is missing`);
    const fd = openSync(path, 'a+');
    const written = fstatSync(fd).size;
    const length = endOfLastLine(fd, written);
    if (length < written) ftruncateSync(fd, length);
    return new SegmentFile(path, fd, length);
  }

  get bytes(): number {
    return this.length;
  }

  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`, 'utf8');
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(this.fd, bytes, written);
    } catch (error) {
      this.dropPartialLine();
      throw new AppError(
        'unavailable',
        `outbox file ${this.path} cannot be written: ${messageOf(error)}`,
        [],
        {
          cause: error,
        },
      );
    }
    this.length += bytes.length;
  }

  /** Whole lines from byte `offset` on, at most about 256 kB unless the first alone is longer. */
  linesFrom(offset: number): { text: string; end: number }[] {
    const chunk = this.read(offset, Math.min(READ_BYTES, this.length - offset));
    const lines: { text: string; end: number }[] = [];
    let start = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, start)) {
      lines.push({ text: chunk.toString('utf8', start, newline), end: offset + newline + 1 });
      start = newline + 1;
    }
    return lines.length > 0 || chunk.length === 0 ? lines : [this.longLineAt(offset)];
  }

  /** Puts on the disk what was appended; `done` hears of a failure. */
  synchronise(done: (error: AppError | null) => void): void {
    fdatasync(this.fd, (error) =>
      done(error ? new AppError('unavailable', `outbox file ${this.path}: ${error.message}`) : null),
    );
  }

  close(): void {
    fdatasyncSync(this.fd);
    closeSync(this.fd);
  }

  remove(): void {
    closeSync(this.fd);
    rmSync(this.path);
  }

  private longLineAt(offset: number): { text: string; end: number } {
    const parts: Buffer[] = [];
    for (let position = offset; position < this.length; position += READ_BYTES) {
      const chunk = this.read(position, Math.min(READ_BYTES, this.length - position));
      const newline = chunk.indexOf(NEWLINE);
      parts.push(newline < 0 ? chunk : chunk.subarray(0, newline));
      if (newline >= 0) return { text: Buffer.concat(parts).toString('utf8'), end: position + newline + 1 };
    }
    throw new AppError('invalid_input', `outbox file ${this.path} has no line end after byte ${offset}`);
  }

  private dropPartialLine(): void {
    try {
      ftruncateSync(this.fd, this.length);
    } catch {
      // The write's own error says what is wrong; a part of a line that stays is dropped by the next recovery.
    }
  }

  private read(offset: number, size: number): Buffer {
    const buffer = Buffer.allocUnsafe(size);
    let filled = 0;
    while (filled < size) {
      const count = readSync(this.fd, buffer, filled, size - filled, offset + filled);
      if (count === 0)
        throw new AppError('invalid_input', `outbox file ${this.path} ends before byte ${offset + size}`);
      filled += count;
    }
    return buffer;
  }
}

function endOfLastLine(fd: number, size: number): number {
  const buffer = Buffer.alloc(READ_BYTES);
  for (let end = size; end > 0; end -= Math.min(READ_BYTES, end)) {
    const start = Math.max(0, end - READ_BYTES);
    const count = readSync(fd, buffer, 0, end - start, start);
    const newline = buffer.subarray(0, count).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
  }
  return 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
