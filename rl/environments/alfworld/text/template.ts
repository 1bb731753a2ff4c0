/** A piece of a rule's right-hand side. */
export type Piece =
  | { kind: 'literal'; text: string }
  | { kind: 'symbol'; name: string }
  /** An expression or symbol, once for each answer of the query; a list puts separators between the answers. */
  | { kind: 'each'; list: boolean; item: Item; query: string | null };
export type Item = { kind: 'symbol'; name: string } | { kind: 'expression'; terms: readonly Term[] };

/** A term of an expression; terms are joined. */
export type Term =
  | { kind: 'literal'; text: string }
  /** Fields in the order they are tried: `r.name or r.id`. */
  | { kind: 'fields'; fields: readonly { variable: string; field: Field }[] };

const FIELDS = ['name', 'indefinite', 'definite', 'id'] as const;
/** `indefinite` is always "a", `definite` always "the". */
export type Field = (typeof FIELDS)[number];

const SYMBOL = /#([\w()/!<>\-\s,.]+)#/y;
const EACH = /(\[?)\{(?:#([\w()/!<>\-\s,.]+)#\s*|([^|[\]{}\n<>#]+))(?:\|([^;|{}\n[\]#]+))?\}(\]?)/y;
const QUOTED = /"([^;|"<>[\]#{}]*)"/y;
const LITERAL = /[^;|"<>[\]#{}]+/y;

/** TextWorld's parser takes white space and `//` comments at the start for comments. */
const IGNORED_START = /^(?:\s+|\/\/.*)+/;

/**
 * Reads a rule's right-hand side. As in TextWorld, what its grammar cannot read ends the text there. Throws a plain
 * Error where an expression is not one of those that grammars use.
 */
export function readTemplate(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = IGNORED_START.exec(text)?.[0].length ?? 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const each = match(EACH);
    const symbol = match(SYMBOL);
    const literal = match(QUOTED) ?? match(LITERAL);
    if (each && (each[1] === '[') === (each[5] === ']')) {
      pieces.push(readEach(each));
      at += each[0].length;
    } else if (each && each[1] === '') {
      // A bracket after the brace that no bracket opened.
      pieces.push(readEach(each));
      at += each[0].length - 1;
    } else if (symbol) {
      pieces.push({ kind: 'symbol', name: symbol[1] ?? '' });
      at += symbol[0].length;
    } else if (literal) {
      pieces.push({ kind: 'literal', text: (literal[1] ?? literal[0]).replace(/^\t+/, '') });
      at += literal[0].length;
    } else break;
  }
  return pieces;
}

function readEach([, bracket, symbol, expression, query]: RegExpExecArray): Piece {
  const item: Item =
    symbol !== undefined
      ? { kind: 'symbol', name: symbol }
      : { kind: 'expression', terms: readExpression(expression ?? '') };
  return { kind: 'each', list: bracket === '[', item, query: query?.trim() ?? null };
}

/** No expression of a grammar comes near. */
const LONGEST_EXPRESSION = 500;

function readExpression(text: string): Term[] {
  if (text.length > LONGEST_EXPRESSION) throw new Error(`an expression has ${text.length} characters`);
  return text.split('+').map((part): Term => {
    const term = part.trim();
    const quoted = /^'([^']*)'$/.exec(part.trim());
    if (quoted) return { kind: 'literal', text: quoted[1] ?? '' };
    return { kind: 'fields', fields: term.split(/\s+or\s+/).map((field) => readField(field)) };
  });
}

function readField(text: string): { variable: string; field: Field } {
  const found = /^(\w+)(?:\.(\w+))?$/.exec(text);
  const field = FIELDS.find((known) => known === (found?.[2] ?? 'name'));
  if (!found?.[1] || !field) throw new Error(`{${text}} is not an expression that can be read`);
  return { variable: found[1], field };
}
