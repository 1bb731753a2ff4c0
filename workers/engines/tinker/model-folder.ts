import { join, resolve } from 'node:path';
import type { Tokenizer } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { TextFiles } from '../onnx/checkpoint/folder';
import { readTextIfPresent } from '../onnx/checkpoint/json-file';
import { readStopTokens } from '../onnx/generation-config';
import { createTokenizer, type ChatVariables } from '../onnx/tokenizer/hugging-face-tokenizer';

const FILES = [
  'tokenizer.json',
  'tokenizer_config.json',
  'chat_template.jinja',
  'generation_config.json',
] as const;
const NEEDED: readonly string[] = ['tokenizer.json', 'generation_config.json'];

/**
 * Tokenizer and stop tokens of a model whose weights are on a server: the protocol gives token ids only, so the text files
 * of its Hugging Face folder have to lie in `<folder>/<model>`. Throws `not_found` saying which file is missing and how to
 * get it.
 */
export async function readModelFolder(
  folder: string,
  model: string,
  chatVariables?: ChatVariables,
): Promise<{ tokenizer: Tokenizer; stopTokens: number[] }> {
  const dir = resolve(folder, model);
  const textFiles: TextFiles = {};
  for (const name of FILES) {
    const text = await readTextIfPresent(join(dir, name));
    if (text !== null) textFiles[name] = text;
    else if (NEEDED.includes(name))
      throw new AppError(
        'not_found',
        `${join(dir, name)}: not found. The server of ${model} computes on token ids, so its text files are needed here: put ${FILES.join(', ')} of ${model} into ${dir}, or name the folder above ${model} in STEPSCOPE_TOKENIZERS`,
      );
  }
  return {
    tokenizer: createTokenizer(dir, textFiles, chatVariables),
    stopTokens: readStopTokens(dir, textFiles),
  };
}
