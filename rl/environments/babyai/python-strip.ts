// Python counts \x1c-\x1f and \x85 as white space and \ufeff not; JavaScript's trim has it the other way round.
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const TRAILING = new RegExp(`${SPACE}+$`);

/** Python's `str.strip()`. */
export function pythonStrip(text: string): string {
  if (isPrintableAscii(text.charCodeAt(0)) && isPrintableAscii(text.charCodeAt(text.length - 1))) return text;
  return text.replace(LEADING, '').replace(TRAILING, '');
}

/** A printable ASCII character other than the space; false for NaN, the code of no character. */
function isPrintableAscii(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}
