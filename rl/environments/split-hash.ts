/** Names a list of tasks: 64-bit FNV-1a of their ids, one a line, as 16 hexadecimal digits. Order matters. */
export function splitHash(tasks: readonly { id: string }[]): string {
  return fnv1a64(tasks.map(({ id }) => id).join('\n'));
}

/** FNV-1a with 64 bits over a text's UTF-16 code units, low byte first, as 16 hexadecimal digits. */
export function fnv1a64(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const absorb = (byte: number): void => {
    low = (low ^ byte) >>> 0;
    // The prime is 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 4294967296) + (low << 8)) >>> 0;
    low = product >>> 0;
  };
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    absorb(unit & 0xff);
    absorb(unit >>> 8);
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
