import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildPhraseTokenizer } from '../engines/onnx/tokenizer/phrase-tokenizer';
import { REPOSITORY_DIR } from '../env';
import { babyAiPhrases } from './babyai-vocabulary';

it('gives the very tokenizer that models/babyai-tiny has, so that its weights mean the same ids', () => {
  const made = buildPhraseTokenizer(babyAiPhrases());
  const shipped = (file: string): unknown =>
    JSON.parse(readFileSync(join(REPOSITORY_DIR, 'models', 'babyai-tiny', file), 'utf8'));
  expect(made.tokenizerJson).toEqual(shipped('tokenizer.json'));
  expect(made.tokenizerConfig).toEqual(shipped('tokenizer_config.json'));
  expect(made.generationConfig).toEqual(shipped('generation_config.json'));
});
