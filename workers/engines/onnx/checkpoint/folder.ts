import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '@/contract/errors';
import type { ModelConfig } from '../model/parameters';
import { parseJson, readTextIfPresent, writeText } from './json-file';
import { parseModelConfig, renderModelConfig } from './model-config';
import type { AdamState } from '../training/adamw';
import { readOptimizer, writeOptimizer } from './optimizer-file';
import { readWeights, type WeightFormat, writeWeights } from './weight-files';

/** The text files of a model folder that say how its text becomes tokens and where a reply ends. */
const TEXT_FILES = [
  'tokenizer.json',
  'tokenizer_config.json',
  'chat_template.jinja',
  'generation_config.json',
] as const;

export type TextFiles = Partial<Record<(typeof TEXT_FILES)[number], string>>;

/** A Hugging Face folder in memory. */
export interface Checkpoint {
  config: ModelConfig;
  /** The flat f32 vector laid out by `parameterSpecs`. */
  parametersP: Float32Array;
  textFiles: TextFiles;
  /** Null where the folder has weights only. */
  optimizer: AdamState | null;
  /** The `config.json` that was loaded: what in it says nothing of the computation is saved again. */
  loadedConfig?: Readonly<Record<string, unknown>>;
}

/**
 * Loads a Hugging Face folder: `config.json`, `model.safetensors` or its sharded index, the text files and, where
 * present, `optimizer.safetensors`. Throws `not_found` or `invalid_input` naming the file and what is wrong in it.
 */
export async function loadCheckpoint(dir: string): Promise<Checkpoint> {
  const configPath = join(dir, 'config.json');
  const configText = await readTextIfPresent(configPath);
  if (configText === null)
    throw new AppError('not_found', `${configPath}: not found, so ${dir} is not a model folder`);
  const json = parseJson(configPath, configText);
  const config = parseModelConfig(configPath, json);
  const parametersP = await readWeights(dir, config);
  const textFiles: TextFiles = {};
  for (const name of TEXT_FILES) {
    const text = await readTextIfPresent(join(dir, name));
    if (text !== null) textFiles[name] = text;
  }
  const optimizer = await readOptimizer(dir, parametersP.length);
  // What parsed as a model's config is an object.
  return { config, parametersP, textFiles, optimizer, loadedConfig: json as Record<string, unknown> };
}

/**
 * Writes a Hugging Face folder. Everything goes to a temporary sibling, synced and then renamed, so that `dir` either
 * holds a whole checkpoint or does not exist; an older one of that name is replaced. f32 round trips to the last bit.
 * `writeMore` adds what else belongs to the checkpoint, given the temporary folder.
 */
export async function saveCheckpoint(
  dir: string,
  checkpoint: Checkpoint,
  format: WeightFormat = {},
  writeMore: (partial: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const parent = dirname(dir);
  const partial = join(parent, `.${basename(dir)}.partial`);
  await mkdir(parent, { recursive: true });
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  try {
    await writeFiles(partial, checkpoint, format);
    await writeMore(partial);
    await syncFolder(partial);
    await replaceFolder(partial, dir);
    await syncFolder(parent);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** torch's names of the types on disk, as config.json has them. */
const TORCH_DTYPES = { F32: 'float32', BF16: 'bfloat16', F16: 'float16' } as const;

async function writeFiles(dir: string, checkpoint: Checkpoint, format: WeightFormat): Promise<void> {
  const { config, parametersP, textFiles, optimizer, loadedConfig } = checkpoint;
  const dtype = TORCH_DTYPES[format.dtype ?? 'F32'];
  const rendered = renderModelConfig(config, dtype, loadedConfig);
  await writeText(join(dir, 'config.json'), `${JSON.stringify(rendered, null, 2)}\n`);
  for (const name of TEXT_FILES) {
    const text = textFiles[name];
    if (text !== undefined) await writeText(join(dir, name), text);
  }
  await writeWeights(dir, config, parametersP, format);
  if (optimizer) await writeOptimizer(dir, optimizer);
}

/** Makes renames and new names within a folder survive a power cut. */
export async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function replaceFolder(partial: string, dir: string): Promise<void> {
  // A folder cannot be renamed over one that is not empty, so an older checkpoint steps aside first.
  const replaced = join(dirname(dir), `.${basename(dir)}.replaced`);
  await rm(replaced, { recursive: true, force: true });
  const hadOlder = await rename(dir, replaced).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    },
  );
  await rename(partial, dir);
  if (hadOlder) await rm(replaced, { recursive: true, force: true });
}
