/** A stretch of text: as it is, or the name of a character that would not be seen or would move others. */
export interface TextPiece {
  text: string;
  /** Why the character is spelt out; null for plain text. */
  spelled: 'control' | 'invisible' | 'direction' | 'surrogate' | null;
}

/**
 * Control characters other than line feed and tab, characters without width, marks that turn the reading
 * direction, and surrogates without their other half.
 */
const ODD_CHARACTERS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Names of the characters 0 to 31 in the ASCII standard. */
const CONTROL_NAMES = (
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI ' +
  'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'
).split(' ');

/** Splits text so that every character a model or an environment wrote can be shown and none of them acts. */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(ODD_CHARACTERS)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), spelled: null });
    pieces.push(spell(match[0]));
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), spelled: null });
  return pieces;
}

function spell(character: string): TextPiece {
  const code = character.charCodeAt(0);
  const control = code === 0x7f ? 'DEL' : CONTROL_NAMES[code];
  if (control !== undefined) return { text: control, spelled: 'control' };
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code < 0xa0) return { text: name, spelled: 'control' };
  if (code >= 0xd800 && code <= 0xdfff) return { text: name, spelled: 'surrogate' };
  const turns =
    code === 0x061c ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069);
  return { text: name, spelled: turns ? 'direction' : 'invisible' };
}
