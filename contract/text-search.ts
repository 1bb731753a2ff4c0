/** Longest text that one search asks for, in UTF-16 code units. */
export const MAX_SEARCH_LENGTH = 200;

/** What a text must hold: words that follow one another. */
export interface SearchTerm {
  words: readonly string[];
  /** The last word may go on: `refrig*` finds refrigerator. */
  isPrefix: boolean;
}

/**
 * Characters that part words, as the body of a character class that JavaScript and Postgres read alike: ASCII and Latin-1
 * punctuation, general punctuation, arrows and symbols, CJK and full-width punctuation. Letters and digits of any script are words.
 */
export const WORD_BREAKS =
  '\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u2000-\\u206f\\u2190-\\u2bff\\u3000-\\u303f\\uff00-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65\\ufffd';

/** Scripts written without spaces, as the body of a character class: each character is a word of its own. */
export const UNSPACED_CHARACTERS = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff';

const BREAKS = new RegExp(`[${WORD_BREAKS}]+`, 'g');
/** What makes a word one: a symbol such as € or an emoji is in no index. */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const UNSPACED = new RegExp(`([${UNSPACED_CHARACTERS}])`, 'g');

/** The words of a text in their order. */
export function wordsOf(text: string): string[] {
  return text.replace(BREAKS, ' ').replace(UNSPACED, ' $1 ').split(' ').filter(Boolean);
}

/**
 * Reads a search: `red ball` asks for both words, `"red ball"` and `red-ball` for the one after the other, `refrig*` for
 * words that begin so. Text without a letter or digit asks for nothing.
 */
export function parseSearch(text: string): SearchTerm[] {
  return [...text.matchAll(/"([^"]*)"?|([^\s"]+)/g)].flatMap(([, quoted, plain = '']) => {
    const words = wordsOf(quoted ?? plain).filter((word) => LETTER_OR_DIGIT.test(word));
    return words.length === 0 ? [] : [{ words, isPrefix: (quoted ?? plain).endsWith('*') }];
  });
}

/** A stretch of a snippet: found by the search, or around what was. */
export interface SnippetPiece {
  text: string;
  isHit: boolean;
}

/** Splits text at what the terms found in it, letter case aside; pieces joined give the text back. */
export function markHits(text: string, terms: readonly SearchTerm[]): SnippetPiece[] {
  if (terms.length === 0) return [{ text, isHit: false }];
  const found = new RegExp(terms.map(termPattern).join('|'), 'giu');
  const pieces: SnippetPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(found)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isHit: false });
    pieces.push({ text: match[0], isHit: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHit: false });
  return pieces;
}

/** A term as a regular expression that JavaScript and Postgres read alike but for the edges of its words. */
export function termBody({ words }: SearchTerm): string {
  return words.join(`[${WORD_BREAKS}]*`);
}

function termPattern(term: SearchTerm): string {
  const isUnspaced = new RegExp(`^[${UNSPACED_CHARACTERS}]`).test(term.words[0] ?? '');
  const before = isUnspaced ? '' : '(?<![\\p{L}\\p{N}])';
  const after = isUnspaced ? '' : term.isPrefix ? '[\\p{L}\\p{N}]*' : '(?![\\p{L}\\p{N}])';
  return `${before}${termBody(term)}${after}`;
}
