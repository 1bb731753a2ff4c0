import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { parseJson } from './refusal';

const FILE = 'tinker-checkpoint.json';

/** A checkpoint whose weights and moments stay on the server that trained them. */
const CheckpointReference = z.object({
  format: z.literal('tinker-checkpoint'),
  /** Address of the server. */
  server: z.string(),
  baseModel: z.string(),
  /** `tinker://<model>/weights/<name>` */
  path: z.string().startsWith('tinker://'),
  loraRank: z.int().nonnegative(),
  /** Optimizer updates since the untrained model, which servers do not count. */
  updates: z.int().nonnegative(),
});
export type CheckpointReference = z.infer<typeof CheckpointReference>;

/** Writes the folder that stands for a checkpoint, whole or not at all; an older one of that name is replaced. */
export async function writeCheckpointReference(dir: string, reference: CheckpointReference): Promise<void> {
  const partial = join(dirname(dir), `.${basename(dir)}.partial`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeFile(join(partial, FILE), `${JSON.stringify(reference, null, 2)}\n`, { flush: true });
  await rm(dir, { recursive: true, force: true });
  await rename(partial, dir);
}

/** Reads it back. Throws `not_found` or `invalid_input` naming the file and what is wrong in it. */
export async function readCheckpointReference(dir: string): Promise<CheckpointReference> {
  const path = join(dir, FILE);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError(
      'not_found',
      `${path}: not found, so ${dir} is no checkpoint of a server of the Tinker protocol`,
      [],
      { cause },
    );
  });
  return parseOrThrow(CheckpointReference, parseJson(text), path);
}
