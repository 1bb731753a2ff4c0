import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { TextFiles } from './checkpoint/folder';
import { parseJson } from './checkpoint/json-file';

const tokenId = z.number().int().nonnegative();
const schema = z.looseObject({ eos_token_id: z.union([tokenId, z.array(tokenId).min(1)]) });

/** Token ids that end a reply, as `generation_config.json` states them. `dir` names the folder in errors. */
export function readStopTokens(dir: string, textFiles: TextFiles): number[] {
  const path = join(dir, 'generation_config.json');
  const text = textFiles['generation_config.json'];
  if (text === undefined) throw new AppError('not_found', `${path}: not found, so no token ends a reply`);
  const parsed = schema.safeParse(parseJson(path, text));
  if (!parsed.success)
    throw new AppError('invalid_input', `${path}: eos_token_id must be a token id or a list of them`);
  return [parsed.data.eos_token_id].flat();
}
