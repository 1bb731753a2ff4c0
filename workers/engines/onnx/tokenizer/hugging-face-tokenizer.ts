import { join } from 'node:path';
import { Template } from '@huggingface/jinja';
import { Tokenizer as LibraryTokenizer } from '@huggingface/tokenizers';
import { z } from 'zod';
import type { Tokenizer } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { TextFiles } from '../checkpoint/folder';
import { parseJson } from '../checkpoint/json-file';

const specialSchema = z.union([z.string(), z.object({ content: z.string() })]).nullish();
const configSchema = z.looseObject({
  chat_template: z.unknown().optional(),
  bos_token: specialSchema,
  eos_token: specialSchema,
});

/** Variables that some chat templates have beside the messages; an absent one leaves the template its own default. */
export interface ChatVariables {
  enable_thinking?: boolean;
}

/**
 * The tokenizer of a model folder's text files. `dir` names the folder in errors. Text becomes tokens as the model was
 * trained, special tokens written in the text included; nothing is added or cleaned up, so decoding gives the text
 * back (a lone surrogate becomes U+FFFD, for it has no UTF-8).
 */
export function createTokenizer(dir: string, textFiles: TextFiles, variables: ChatVariables = {}): Tokenizer {
  const tokenizerPath = join(dir, 'tokenizer.json');
  const tokenizerText = textFiles['tokenizer.json'];
  if (tokenizerText === undefined) throw new AppError('not_found', `${tokenizerPath}: not found`);
  const config = readConfig(dir, textFiles);
  const library = openLibrary(tokenizerPath, parseJson(tokenizerPath, tokenizerText), config);
  const vocabularySize = Math.max(...library.get_vocab().values()) + 1;
  const renderChat = chatRenderer(dir, textFiles, { config, variables });

  const encode = (text: string): number[] =>
    text === '' ? [] : library.encode(text, { add_special_tokens: false }).ids;

  const decodeKnown = (ids: number[]): string =>
    ids.length === 0
      ? ''
      : library.decode(ids, { skip_special_tokens: false, clean_up_tokenization_spaces: false });

  return {
    vocabularySize,
    encode,
    decode(ids) {
      // A model's vocabulary may be padded beyond its tokenizer's; what has no text is marked, not dropped.
      const runs: number[][] = [[]];
      for (const id of ids) {
        if (library.id_to_token(id) === undefined) runs.push([]);
        else runs.at(-1)?.push(id);
      }
      return runs.map(decodeKnown).join('\ufffd');
    },
    specialId(token) {
      const added = [...library.get_added_tokens_decoder().values()].find((entry) => entry.content === token);
      if (!added) throw new AppError('invalid_input', `${tokenizerPath} has no special token "${token}"`);
      return added.id;
    },
    renderChat,
    encodeChat: (messages, tools) => encode(renderChat(messages, tools)),
  };
}

type TokenizerConfig = z.infer<typeof configSchema>;

function readConfig(dir: string, textFiles: TextFiles): TokenizerConfig {
  const path = join(dir, 'tokenizer_config.json');
  const parsed = configSchema.safeParse(parseJson(path, textFiles['tokenizer_config.json'] ?? '{}'));
  if (!parsed.success)
    throw new AppError(
      'invalid_input',
      `${path}: ${parsed.error.issues[0]?.path.join('.') ?? ''} is malformed`,
    );
  return parsed.data;
}

function openLibrary(path: string, json: unknown, config: TokenizerConfig): LibraryTokenizer {
  if (typeof json !== 'object' || json === null)
    throw new AppError('invalid_input', `${path}: not a JSON object`);
  try {
    return new LibraryTokenizer(json, config);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${path}: ${reason}`, [], { cause });
  }
}

/** transformers 5 keeps the template in `chat_template.jinja`, which therefore wins over the config's. */
function chatRenderer(
  dir: string,
  textFiles: TextFiles,
  { config, variables }: { config: TokenizerConfig; variables: ChatVariables },
): Tokenizer['renderChat'] {
  const source = textFiles['chat_template.jinja'] ?? config.chat_template;
  if (typeof source !== 'string')
    return () => {
      throw new AppError('invalid_input', `${dir} has no chat template`);
    };
  let template: Template;
  try {
    template = new Template(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${dir}: chat template: ${reason}`, [], { cause });
  }
  const tokenText = (token: TokenizerConfig['eos_token']): string =>
    typeof token === 'string' ? token : (token?.content ?? '');
  return (messages, tools) =>
    template.render({
      messages,
      ...(tools && { tools }),
      ...variables,
      add_generation_prompt: true,
      bos_token: tokenText(config.bos_token),
      eos_token: tokenText(config.eos_token),
    });
}
