import { AppError } from '@/contract/errors';

/** A text within a game file, kept with where it is from, so that an error can say where it is. */
export interface SourceText {
  /** Path or name of the file. */
  file: string;
  /** Key of the file that holds the text: `pddl_problem`. */
  part: string;
  text: string;
}

/** An `invalid_input` that names file, part and the line of `offset` (UTF-16 units from the text's start). */
export function badSource({ file, part, text }: SourceText, offset: number, message: string): AppError {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return new AppError('invalid_input', `${file}: ${part}, line ${line}: ${message}`);
}

/** The text from `offset` on, cut so that it can stand in an error message. */
export function excerpt({ text }: SourceText, offset: number): string {
  const cut = text.slice(offset, offset + 30).split('\n')[0] ?? '';
  return JSON.stringify(cut);
}
