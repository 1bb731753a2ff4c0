import { createReadStream } from 'node:fs';
import { AppError } from '@/contract/errors';

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';
/** Far above any transcript, and below the longest text of V8. */
const MOST_LINE_BYTES = 256_000_000;

/**
 * Lines of a UTF-8 file, without a byte-order mark at its start. They end in a line feed alone: a JSON string may hold
 * U+2028, where Node's readline breaks lines from 24 on. Throws `too_large` naming file and line above 256 MB.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let line = 1;
  // Joined once a line is whole: to join at every chunk takes time in the square of the line's length.
  let pieces: Buffer[] = [];
  let bytes = 0;
  const take = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MOST_LINE_BYTES) {
      const message = `${path}:${line}: longer than ${MOST_LINE_BYTES} bytes; expected one transcript a line`;
      throw new AppError('too_large', message);
    }
    pieces.push(piece);
  };
  const join = (): string => {
    const text = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    bytes = 0;
    return line++ === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  };
  for await (const chunk of createReadStream(path)) {
    // A stream without an encoding gives buffers.
    const buffer = chunk as Buffer;
    let start = 0;
    for (let end = buffer.indexOf(LINE_FEED); end >= 0; end = buffer.indexOf(LINE_FEED, start)) {
      take(buffer.subarray(start, end));
      start = end + 1;
      yield join();
    }
    take(buffer.subarray(start));
  }
  yield join();
}
