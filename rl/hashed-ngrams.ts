/**
 * Texts as vectors without a model: counts of their words, pairs of words and runs of three letters, hashed into a fixed
 * length (Weinberger et al. 2009, "Feature hashing for large scale multitask learning"). Alike are texts that share
 * wording, not meaning.
 */
import type { TextEmbedder } from '@/contract/embedding';
import { hashSeed } from './random';

const DIMENSIONS = 512;
const SEED = 1;

/** Letters of a run. */
const RUN = 3;

/** The embedder where no sentence model is given. */
export const hashedNgrams: TextEmbedder = {
  name: 'hashed n-grams',
  kind: 'hashed-ngrams',
  embed: (texts) => Promise.resolve(texts.map(embedText)),
};

/** A text's vector, of L2 norm 1. Case, and what is neither letter nor digit, do not count. */
function embedText(text: string): number[] {
  const counts = new Array<number>(DIMENSIONS).fill(0);
  for (const feature of featuresOf(text)) {
    const hash = hashSeed(SEED, feature);
    const sign = hash & 1 ? 1 : -1;
    const index = (hash >>> 1) % DIMENSIONS;
    counts[index] = (counts[index] ?? 0) + sign;
  }
  const norm = Math.hypot(...counts);
  return counts.map((count) => count / norm);
}

/**
 * The n-grams of a text, each as often as it stands there, and one that every text has: without it a text without words
 * would have no direction.
 */
function featuresOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const pairs = words.slice(1).map((word, i) => `${words[i]} ${word}`);
  const runs = words.flatMap((word) => {
    const padded = [...`<${word}>`];
    return padded.slice(RUN - 1).map((_, i) => `#${padded.slice(i, i + RUN).join('')}`);
  });
  return ['', ...words, ...pairs, ...runs];
}
