import { badSource, excerpt, type SourceText } from '../source-text';

/** A parenthesised list; atoms are lower-cased, as Fast Downward reads them. */
export interface ListExpression {
  items: readonly Expression[];
  /** Of the opening parenthesis, in UTF-16 units. */
  offset: number;
}
export type Expression = string | ListExpression;

const MOST_NESTED = 100;
const [OPEN, CLOSE, SEMICOLON, NEWLINE, SPACE] = [40, 41, 59, 10, 32];

/**
 * Reads a text of one s-expression with `;` comments. Throws `invalid_input` naming file and line where parentheses do
 * not match, lists nest more than 100 deep, or something stands outside the list.
 */
export function readExpression(source: SourceText): ListExpression {
  const text = source.text.toLowerCase();
  const open: { items: Expression[]; offset: number }[] = [];
  let whole: ListExpression | null = null;
  let at = skipBlank(text, 0);
  while (at < text.length) {
    if (whole) throw badSource(source, at, `expected the end, got ${excerpt(source, at)}`);
    const code = text.charCodeAt(at);
    if (code === OPEN) {
      open.push({ items: [], offset: at++ });
      if (open.length > MOST_NESTED) throw badSource(source, at, `lists nest more than ${MOST_NESTED} deep`);
    } else if (code === CLOSE) {
      const closed = open.pop();
      if (!closed) throw badSource(source, at, 'this parenthesis closes nothing');
      const outer = open.at(-1);
      if (outer) outer.items.push(closed);
      else whole = closed;
      at++;
    } else {
      const list = open.at(-1);
      if (!list) throw badSource(source, at, `expected "(", got ${excerpt(source, at)}`);
      const end = endOfAtom(text, at);
      list.items.push(text.slice(at, end));
      at = end;
    }
    at = skipBlank(text, at);
  }
  const unclosed = open.at(-1);
  if (unclosed) throw badSource(source, unclosed.offset, 'this parenthesis is never closed');
  if (!whole) throw badSource(source, 0, 'expected "(", got nothing');
  return whole;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === SEMICOLON) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (code > SPACE) return at;
  }
  return at;
}

function endOfAtom(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code === OPEN || code === CLOSE || code === SEMICOLON || code === NEWLINE) break;
  }
  return at;
}

/** The list's items as atoms; throws where one is a list. */
export function atoms(list: ListExpression, source: SourceText): string[] {
  return list.items.map((item) => {
    if (typeof item === 'string') return item;
    throw badSource(source, item.offset, 'expected a name, got a list');
  });
}

/** The list at `index`; throws where there is none. */
export function listAt(
  list: ListExpression,
  index: number,
  source: SourceText,
  what: string,
): ListExpression {
  const item = list.items[index];
  if (item !== undefined && typeof item !== 'string') return item;
  throw badSource(source, list.offset, `expected ${what} as a list, got ${item ?? 'nothing'}`);
}

/** A name with its type. */
export interface Typed {
  name: string;
  type: string;
}

/**
 * Reads `a b - type c`: names before a dash have the type after it, those without one are `object`. A comma is part of
 * the name it stands at, as in Fast Downward.
 */
export function typedNames(list: ListExpression, source: SourceText, from = 0): Typed[] {
  const names = atoms(list, source).slice(from);
  const typed: Typed[] = [];
  let waiting: string[] = [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? '';
    if (name !== '-') {
      waiting.push(name);
      continue;
    }
    const type = names[++index];
    if (type === undefined || waiting.length === 0) {
      throw badSource(source, list.offset, 'a dash must stand between names and their type');
    }
    typed.push(...waiting.map((waited) => ({ name: waited, type })));
    waiting = [];
  }
  return [...typed, ...waiting.map((name) => ({ name, type: 'object' }))];
}
