import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { AppError } from '@/contract/errors';
import { damaged, type SourceFile } from './importer';

/** UTF-16 code units of one line. */
const MAX_LINE_LENGTH = 32 * 1024 * 1024;
/** Of a JSON file that is read as a whole. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;

/** A line without its end; `line` counts from 1. `isWhole`: a line end follows it. */
export interface NumberedLine {
  line: number;
  text: string;
  isWhole: boolean;
}

/** The lines of a text file, one at a time, however long the file. Bytes that are no UTF-8 become U+FFFD. */
export async function* linesOf(file: SourceFile): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let line = 0;
  for await (const chunk of createReadStream(file.path, { highWaterMark: 1 << 20 })) {
    const parts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_LINE_LENGTH)
      throw damaged(
        file.name,
        line + parts.length + 1,
        `the line has more than ${MAX_LINE_LENGTH} characters`,
      );
    for (const text of parts) yield { line: ++line, text: text.replace(/\r$/, ''), isWhole: true };
  }
  rest += decoder.decode();
  if (rest !== '') yield { line: line + 1, text: rest, isWhole: false };
}

/**
 * The JSON values of a file with one a line; empty lines are passed over. A last line that ends in the middle of its value, as
 * a killed process leaves it, goes to `onCut`; any other line that is no JSON is `invalid_input`.
 */
export async function* jsonLinesOf(
  file: SourceFile,
  onCut: (line: number) => void,
): AsyncGenerator<{ line: number; value: unknown }> {
  for await (const { line, text, isWhole } of linesOf(file)) {
    if (text.trim() === '') continue;
    const value = tryJson(text);
    if (value !== undefined) yield { line, value: value.json };
    else if (isWhole) throw damaged(file.name, line, `expected a JSON value, got ${excerpt(text)}`);
    else onCut(line);
  }
}

/** A whole JSON file. Throws `too_large` and, naming the line where the parser says where, `invalid_input`. */
export async function readJsonFile(file: SourceFile): Promise<unknown> {
  if (file.bytes > MAX_JSON_BYTES)
    throw new AppError(
      'too_large',
      `${file.name} has ${file.bytes} bytes, at most ${MAX_JSON_BYTES} are read`,
    );
  return parseJson(file.name, await readFile(file.path, 'utf8'));
}

/** JSON text; Python's bare `NaN` and `Infinity` are read as texts of that name. */
export function parseJson(fileName: string, text: string): unknown {
  const plain = text.replace(/^\ufeff/, '');
  try {
    return JSON.parse(plain);
  } catch (error) {
    const lenient = tryJson(plain);
    if (lenient) return lenient.json;
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? null : plain.slice(0, Number(position)).split('\n').length;
    throw damaged(fileName, line, `not JSON: ${message}`);
  }
}

/** Numbers that JSON lacks and Python's json writes all the same, outside of texts. */
const PYTHON_NUMBERS = /("(?:[^"\\]|\\.)*")|-?\b(?:NaN|Infinity)\b/g;

/** Python's NaN and infinities become the texts that `toWireNumber` gives. */
function tryJson(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    // Falls to the wider reading.
  }
  if (!/NaN|Infinity/.test(text)) return undefined;
  try {
    return {
      json: JSON.parse(text.replace(PYTHON_NUMBERS, (match, quoted?: string) => quoted ?? `"${match}"`)),
    };
  } catch {
    return undefined;
  }
}

/** The beginning of a text, quoted, for a message. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
