import type { Readable } from 'node:stream';
import type { Secret } from '../engines/tinker/secret';

const LINES_KEPT = 20;
/** What follows on the same line is dropped. */
const MAX_LINE_LENGTH = 2000;
/** Longest password within an address, as far as one is looked for past a line's end. */
const LONGEST_PASSWORD = 256;
const PASSWORD_IN_ADDRESS = /([a-z][a-z\d+.-]*:\/\/[^\s:@/]*:)[^\s/?#]+@/gi;

/** The last lines that a program wrote, with secrets hidden. */
export class OutputTail {
  private readonly lines: string[] = [];
  /** Read past a line's end and never shown: a secret that was cut there could not be told. */
  private readonly margin: number;

  /** `onLine` is told of each line. */
  constructor(
    private readonly secrets: readonly Secret[],
    private readonly onLine: (line: string) => void,
  ) {
    this.margin = Math.max(LONGEST_PASSWORD, ...secrets.map((secret) => secret.reveal().length));
  }

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
      begun = (begun + last).slice(0, MAX_LINE_LENGTH + this.margin);
    });
    stream.on('end', () => this.add(begun));
  }

  private add(line: string): void {
    if (line.trim() === '') return;
    const shown = this.hidden(line);
    this.lines.push(shown);
    if (this.lines.length > LINES_KEPT) this.lines.shift();
    this.onLine(shown);
  }

  /** A line as it may be shown: secrets are hidden before it is cut, or the beginning of one would stay. */
  private hidden(line: string): string {
    const readLength = MAX_LINE_LENGTH + this.margin;
    const read = line.slice(0, readLength);
    const text = this.secrets
      .reduce((left, secret) => secret.hideIn(left), read)
      .replace(PASSWORD_IN_ADDRESS, '$1[secret]@');
    const whole = read.length < readLength ? text : text.slice(0, -this.margin);
    return whole.slice(0, MAX_LINE_LENGTH);
  }
}
