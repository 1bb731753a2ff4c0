import {
  parseSearch,
  termBody,
  UNSPACED_CHARACTERS,
  WORD_BREAKS,
  type SearchTerm,
} from '@/contract/text-search';
import { AppError } from '@/contract/errors';

/** SQL of a text as its words, one space between two: what both the index and a search are made from. */
export function sqlWords(text: string): string {
  const unspaced = `regexp_replace(${text}, '([${UNSPACED_CHARACTERS}])', ' \\1 ', 'g')`;
  return `to_tsvector('simple', regexp_replace(${unspaced}, '[${WORD_BREAKS}]+', ' ', 'g'))`;
}

/** What a search asks for, as SQL parameters. */
export interface TextSearch {
  /** For `to_tsquery('simple', ...)`: every term, within one turn. */
  tsquery: string;
  /** Regular expression of Postgres for the first term, letter case aside. */
  pattern: string;
}

/** Throws `invalid_input` where the text has no word. */
export function readSearch(text: string): TextSearch {
  const terms = parseSearch(text);
  const first = terms[0];
  if (!first)
    throw new AppError('invalid_input', `text "${text}" has no word`, [
      { path: 'text', message: 'expected letters or digits: punctuation is not searched' },
    ]);
  return { tsquery: terms.map(termQuery).join(' & '), pattern: termPattern(first) };
}

/** Words hold letters and digits alone, so that none of them is read as an operator. */
function termQuery({ words, isPrefix }: SearchTerm): string {
  const quoted = words.map((word) => `'${word}'`);
  return `(${quoted.join(' <-> ')}${isPrefix ? ':*' : ''})`;
}

/** `\m` and `\M` are the edges of a word; where words have no spaces between them, neither is asked for. */
function termPattern(term: SearchTerm): string {
  const isUnspaced = new RegExp(`^[${UNSPACED_CHARACTERS}]`).test(term.words[0] ?? '');
  return `${isUnspaced ? '' : '\\m'}${termBody(term)}${isUnspaced || term.isPrefix ? '' : '\\M'}`;
}
