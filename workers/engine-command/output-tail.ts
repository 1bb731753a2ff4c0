import type { Readable } from 'node:stream';
import type { Secret } from '../engines/tinker/secret';

const LINES_KEPT = 20;
/** What follows on the same line is dropped. */
const MAX_LINE_LENGTH = 2000;

/** The last lines that a program wrote, with secrets hidden. */
export class OutputTail {
  private readonly lines: string[] = [];

  /** `onLine` is told of each line. */
  constructor(
    private readonly secrets: readonly Secret[],
    private readonly onLine: (line: string) => void,
  ) {}

  get text(): string {
    return this.lines.join('\n');
  }

  /** Reads lines of a stream, which progress bars end with a carriage return. */
  follow(stream: Readable): void {
    let begun = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const parts = chunk.split(/[\r\n]+/);
      const last = parts.pop() ?? '';
      for (const part of parts) {
        this.add(begun + part);
        begun = '';
      }
      begun = (begun + last).slice(0, MAX_LINE_LENGTH);
    });
    stream.on('end', () => this.add(begun));
  }

  private add(line: string): void {
    if (line.trim() === '') return;
    const shown = this.secrets.reduce((text, secret) => secret.hideIn(text), line).slice(0, MAX_LINE_LENGTH);
    this.lines.push(shown);
    if (this.lines.length > LINES_KEPT) this.lines.shift();
    this.onLine(shown);
  }
}
