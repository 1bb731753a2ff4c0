import type { WireNumber } from '@/contract/run-events';
import {
  damaged,
  onlyFile,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
} from './importer';
import { excerpt, linesOf } from './lines';
import { isMetricName, metricValue, pointEvents } from './metric-values';
import { RepeatedPoints } from './repeated-points';
import { statedWhole } from './stated-whole';
import { verlName } from './verl-names';

/** Columns that may hold the step, in the order in which they are looked for. */
const STEP_COLUMNS = ['step', 'global_step', 'training/global_step', '_step'];
/** More columns than the widest log known has metrics, by far. */
const MAX_COLUMNS = 20_000;

/** A table of metrics: a row a step, a column each. */
export const verlCsv: Importer = {
  format: 'verl-csv',
  recognises: ({ files, isFolder }, head) =>
    !isFolder &&
    /\.csv$/i.test(files[0]?.name ?? '') &&
    stepColumn(cellsOf(head.split(/\r?\n/)[0] ?? '') ?? []) >= 0,
  read: readCsv,
};

function stepColumn(cells: readonly string[]): number {
  const named = STEP_COLUMNS.find((column) => cells.includes(column));
  return named === undefined ? -1 : cells.indexOf(named);
}

async function* readCsv(source: ImportSource, context: ImportContext): AsyncGenerator<ImportedEvent> {
  const file = onlyFile(source);
  let header: Header | null = null;
  const repeats = new RepeatedPoints();
  for await (const { line, text, isWhole } of linesOf(file)) {
    if (header === null) {
      header = readHeader(file.name, text.replace(/^\ufeff/, ''));
      continue;
    }
    if (text.trim() === '') continue;
    const cells = cellsOf(text);
    if (cells === null || cells.length !== header.names.length) {
      if (!isWhole) {
        context.skip({ file: file.name, line, reason: 'the last line is cut off' });
        continue;
      }
      throw damaged(
        file.name,
        line,
        cells === null
          ? 'a quotation mark has no partner'
          : `${cells.length} cells, expected ${header.names.length} as in line 1`,
      );
    }
    yield* repeats.watch(rowEvents(file.name, line, header, cells, context));
  }
  repeats.tell(file.name, context);
  if (header === null) throw damaged(file.name, 1, 'the file is empty, expected a header');
}

interface Header {
  step: number;
  /** Of each column; null for the step's. */
  names: (string | null)[];
}

function readHeader(file: string, text: string): Header {
  const cells = cellsOf(text);
  if (cells === null) throw damaged(file, 1, 'a quotation mark has no partner');
  if (cells.length > MAX_COLUMNS)
    throw damaged(file, 1, `${cells.length} columns, at most ${MAX_COLUMNS} are read`);
  const step = stepColumn(cells);
  if (step < 0) throw damaged(file, 1, `no column is named ${STEP_COLUMNS.join(' or ')}`);
  const keepsSlashes = cells.some((cell) => cell.includes('/'));
  const names = cells.map((cell, index) => {
    if (index === step) return null;
    const name = keepsSlashes ? cell.trim() : verlName(cell.trim());
    if (!isMetricName(name))
      throw damaged(
        file,
        1,
        `column ${index + 1}, ${excerpt(cell)}: expected a name of at most 200 printable characters`,
      );
    return name;
  });
  const twice = names.find((name, index) => name !== null && names.indexOf(name) !== index);
  if (twice) throw damaged(file, 1, `two columns are named ${twice}`);
  return { step, names };
}

function* rowEvents(
  file: string,
  line: number,
  { step: stepAt, names }: Header,
  cells: readonly string[],
  context: ImportContext,
): Generator<ImportedEvent> {
  const step = statedWhole(file, line, 'step', cells[stepAt] ?? '');
  const points: { name: string; value: WireNumber }[] = [];
  for (const [index, name] of names.entries()) {
    const cell = cells[index] ?? '';
    if (name === null || cell.trim() === '') continue;
    const value = metricValue(cell);
    if (value === null)
      context.skip({ file, line, reason: `${name} is ${excerpt(cell)}, which is no number` });
    else points.push({ name, value });
  }
  yield* pointEvents({ file, line }, step, points);
}

/** The cells of a line (RFC 4180, without line ends within a cell); null where a quotation mark is out of place. */
export function cellsOf(text: string): string[] | null {
  if (!text.includes('"')) return text.split(',');
  const cells: string[] = [];
  for (let start = 0; start <= text.length;) {
    const quoted = text[start] === '"';
    const end = quoted ? closingQuote(text, start + 1) + 1 : nextComma(text, start);
    if (end === 0 || (end < text.length && text[end] !== ',')) return null;
    const cell = quoted ? text.slice(start + 1, end - 1).replaceAll('""', '"') : text.slice(start, end);
    if (!quoted && cell.includes('"')) return null;
    cells.push(cell);
    start = end + 1;
  }
  return cells;
}

function nextComma(text: string, from: number): number {
  const comma = text.indexOf(',', from);
  return comma < 0 ? text.length : comma;
}

/** Index of the mark that ends a quotation, -1 where none does; two marks in a row stand for one. */
function closingQuote(text: string, from: number): number {
  for (let mark = text.indexOf('"', from); mark >= 0; mark = text.indexOf('"', mark + 2))
    if (text[mark + 1] !== '"') return mark;
  return -1;
}
