import type { TextEmbedder } from '@/contract/embedding';
import { hashedNgrams } from '@/rl/hashed-ngrams';
import { embeddingModelDir } from '../env';
import { openSentenceModel } from './sentence-model';

/** Opened once, for every run of the process embeds with the same folder; anew where that failed. */
const opened = new Map<string, Promise<TextEmbedder>>();

/** The sentence model in `STEPSCOPE_EMBEDDING_MODEL`; hashed n-grams where none is named. */
export function openEmbedder(): Promise<TextEmbedder> {
  const dir = embeddingModelDir();
  if (dir === null) return Promise.resolve(hashedNgrams);
  const known = opened.get(dir);
  if (known) return known;
  const opening = openSentenceModel(dir);
  opened.set(dir, opening);
  opening.catch(() => opened.delete(dir));
  return opening;
}
