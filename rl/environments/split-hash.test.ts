import { describe, expect, it } from 'vitest';
import { fnv1a64 } from './split-hash';

/** FNV-1a by its definition. */
function byDefinition(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, 'utf16le')) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return hash.toString(16).padStart(16, '0');
}

describe('fnv1a64', () => {
  it('starts from the offset basis', () => {
    expect(fnv1a64('')).toBe('cbf29ce484222325');
  });

  it('agrees with the definition', () => {
    for (const text of ['a', 'babyai/Open/1000000', '\u0000\uffff', 'ü'.repeat(100)]) {
      expect(fnv1a64(text)).toBe(byDefinition(text));
    }
  });
});
