import type { ReportBlock, ReportBlockKind } from '@/contract/report';

/** A block without content, under an id that the report does not have. */
export function emptyBlock(kind: ReportBlockKind, blocks: readonly ReportBlock[]): ReportBlock {
  const id = freeId(blocks);
  switch (kind) {
    case 'text':
      return { id, kind, text: '' };
    case 'evaluations':
      return { id, kind, runs: [], split: null, decoding: null };
    case 'chart':
      return { id, kind, runs: [], series: '' };
    case 'compare':
      return { id, kind, query: '' };
    case 'pair':
      return { id, kind, a: '', b: '' };
  }
}

function freeId(blocks: readonly ReportBlock[]): string {
  const taken = new Set(blocks.map(({ id }) => id));
  let number = blocks.length + 1;
  while (taken.has(`b${number}`)) number++;
  return `b${number}`;
}

/** The blocks with one of them a place earlier or later; the same where it is at the end already. */
export function withMoved(blocks: readonly ReportBlock[], index: number, by: -1 | 1): readonly ReportBlock[] {
  const moved = blocks[index];
  const other = blocks[index + by];
  if (!moved || !other) return blocks;
  return blocks.with(index, other).with(index + by, moved);
}

/** Ids between commas or spaces, each once. */
export function readIds(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((id) => id !== ''))];
}

/** The query of a pasted address or of a query as it is; empty where it names no checkpoint. */
export function readCompareQuery(text: string): string {
  const query = text.trim().replace(/^[^?]*\?/, '');
  return new URLSearchParams(query).has('c') ? query : '';
}

/** The sides of a pasted address of a pair; null where the text is none. */
export function readPairAddress(text: string): { a: string; b: string } | null {
  const query = new URLSearchParams(text.trim().replace(/^[^?]*\?/, ''));
  const [a, b] = [query.get('a') ?? '', query.get('b') ?? ''];
  return /^\d+$/.test(a) && /^\d+$/.test(b) ? { a, b } : null;
}
