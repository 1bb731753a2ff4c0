import { promptOf, type TargetedSequence } from '../training/datum-targets';

/**
 * Indices of `sequences` for each of `parts` children, every list ascending. Sequences that share a prompt (the tokens
 * up to their first target) stay together, for it is then computed once; such groups go, largest first, to the part
 * with the fewest tokens. Depends on the data alone.
 */
export function partitionByPrompt(sequences: readonly TargetedSequence[], parts: number): number[][] {
  const groups = new Map<string, { indices: number[]; tokens: number }>();
  sequences.forEach((sequence, index) => {
    const prompt = promptOf(sequence);
    const key = prompt.join();
    const group = groups.get(key) ?? { indices: [], tokens: prompt.length };
    group.indices.push(index);
    group.tokens += sequence.tokens.length - prompt.length;
    groups.set(key, group);
  });
  const shares = Array.from({ length: parts }, () => ({ indices: [] as number[], tokens: 0 }));
  for (const group of [...groups.values()].sort((a, b) => b.tokens - a.tokens)) {
    const lightest = shares.reduce((least, share) => (share.tokens < least.tokens ? share : least));
    lightest.indices.push(...group.indices);
    lightest.tokens += group.tokens;
  }
  return shares.map(({ indices }) => indices.sort((a, b) => a - b));
}
