/** Texts as vectors whose cosine says how alike they are. */
export interface TextEmbedder {
  /** What computes them: `hashed n-grams`, or the name of a sentence model's folder. */
  readonly name: string;
  readonly kind: 'hashed-ngrams' | 'sentence-model';
  /** A unit vector for each text, all of one length. */
  embed(texts: readonly string[]): Promise<number[][]>;
}
