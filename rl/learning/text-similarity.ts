/** From this length on, characters that make up over a hundredth of the second text no longer start a match. */
const POPULARITY_LENGTH = 200;

/**
 * How alike two texts are, in [0, 1]: 2 M / T with M characters in matching blocks and T in both texts; 1 for two empty
 * ones. Blocks are found as Ratcliff and Obershelp do: the longest common block, then the same left and right of it.
 * Python's `difflib.SequenceMatcher(None, first, second).ratio()`, popular characters of long second texts put aside as
 * there (`autojunk`), so the order of the two matters. Characters are code points.
 */
export function textSimilarity(first: string, second: string): number {
  const a = Array.from(first);
  const b = Array.from(second);
  if (a.length + b.length === 0) return 1;
  const positions = positionsIn(b);
  let matched = 0;
  const open: Span[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  for (let span = open.pop(); span; span = open.pop()) {
    const { aStart, bStart, size } = longestBlock(a, b, positions, span);
    if (size === 0) continue;
    matched += size;
    open.push({ ...span, aEnd: aStart, bEnd: bStart });
    open.push({ ...span, aStart: aStart + size, bStart: bStart + size });
  }
  return (2 * matched) / (a.length + b.length);
}

/** A part of both texts, ends excluded. */
interface Span {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

interface Block {
  aStart: number;
  bStart: number;
  size: number;
}

/** Where each character of `b` stands, ascending; popular ones are left out. */
function positionsIn(b: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  b.forEach((character, index) => {
    const known = positions.get(character);
    if (known) known.push(index);
    else positions.set(character, [index]);
  });
  if (b.length >= POPULARITY_LENGTH) {
    const most = Math.floor(b.length / 100) + 1;
    for (const [character, places] of positions) if (places.length > most) positions.delete(character);
  }
  return positions;
}

/** The longest common block of a span: of several the one that starts first in `a`, then first in `b`. */
function longestBlock(
  a: readonly string[],
  b: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
  { aStart, aEnd, bStart, bEnd }: Span,
): Block {
  let best: Block = { aStart, bStart, size: 0 };
  // Length of the common block that ends at a[i - 1] and each place of `b`.
  let lengths = new Map<number, number>();
  for (let i = aStart; i < aEnd; i++) {
    const next = new Map<number, number>();
    for (const j of positions.get(a[i] ?? '') ?? []) {
      if (j < bStart) continue;
      if (j >= bEnd) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { aStart: i - size + 1, bStart: j - size + 1, size };
    }
    lengths = next;
  }
  return widened(a, b, best, { aStart, aEnd, bStart, bEnd });
}

/** A block grown over equal neighbours: popular characters may not start a match, but may be part of one. */
function widened(a: readonly string[], b: readonly string[], block: Block, span: Span): Block {
  let { aStart, bStart, size } = block;
  while (aStart > span.aStart && bStart > span.bStart && a[aStart - 1] === b[bStart - 1]) {
    aStart--;
    bStart--;
    size++;
  }
  while (aStart + size < span.aEnd && bStart + size < span.bEnd && a[aStart + size] === b[bStart + size])
    size++;
  return { aStart, bStart, size };
}
