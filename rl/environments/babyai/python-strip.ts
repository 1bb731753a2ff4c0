// Python counts \x1c-\x1f and \x85 as white space and \ufeff not; JavaScript's trim has it the other way round.
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const TRAILING = new RegExp(`${SPACE}+$`);

/** Python's `str.strip()`. */
export function pythonStrip(text: string): string {
  return text.replace(LEADING, '').replace(TRAILING, '');
}
