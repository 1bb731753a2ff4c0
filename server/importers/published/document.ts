import { readFile } from 'node:fs/promises';
import { damaged, type ImportContext, type ImportedEvent, type SourceFile } from '../importer';

/** A text that states the figures of one run or several. */
export interface PublishedDocument {
  /** Words by which the text is known. */
  mark: RegExp;
  /** The runs that it tells of, by the names that `part` takes. */
  parts: readonly string[];
  read(text: StatedText, part: string, context: ImportContext): Generator<ImportedEvent['event']>;
}

/** A text that is searched for what it states; whatever is missing is an error that names the file. */
export class StatedText {
  private constructor(
    readonly file: string,
    readonly text: string,
  ) {}

  static async open(file: SourceFile): Promise<StatedText> {
    return new StatedText(file.name, (await readFile(file.path, 'utf8')).replace(/\r\n/g, '\n'));
  }

  /** The groups of the first match. Throws where there is none. */
  find(pattern: RegExp, what: string): string[] {
    const match = pattern.exec(this.text);
    if (!match) throw damaged(this.file, null, `states no ${what}`);
    return match.slice(1).map((group) => group ?? '');
  }

  /** Line of a match, from 1. */
  lineOf(index: number): number {
    return this.text.slice(0, index).split('\n').length;
  }

  /** Cells of the table whose head holds `head`, row by row, without bold. Throws where there is no such table. */
  table(head: RegExp, what: string): { line: number; cells: string[] }[] {
    const lines = this.text.split('\n');
    const first = lines.findIndex((line) => line.trim().endsWith('|') && head.test(line));
    if (first < 0) throw damaged(this.file, null, `holds no table of ${what}`);
    const rows: { line: number; cells: string[] }[] = [];
    for (let index = first + 1; index < lines.length; index++) {
      const line = (lines[index] ?? '').trim();
      if (!line.endsWith('|')) break;
      if (/^\|?[\s|:-]+\|$/.test(line)) continue;
      rows.push({ line: index + 1, cells: cellsOfRow(line) });
    }
    return rows;
  }
}

function cellsOfRow(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.replaceAll('**', '').trim());
}
