import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { ModelConfig } from '../model/parameters';
import { parameterCount } from '../model/parameters';
import { parseJson, readTextIfPresent } from './json-file';
import { parseModelConfig, renderModelConfig } from './model-config';
import type { AdamState } from '../training/adamw';
import { readOptimizer, writeOptimizer } from './optimizer-file';
import { SafetensorsFile, writeSafetensors } from './safetensors';
import { extractWeight, placeWeight, weightPlaces } from './weight-layout';

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
}

const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) });

/**
 * Loads a Hugging Face folder: `config.json`, `model.safetensors` or its sharded index, the text files and, where
 * present, `optimizer.safetensors`. Throws `not_found` or `invalid_input` naming the file and what is wrong in it.
 */
export async function loadCheckpoint(dir: string): Promise<Checkpoint> {
  const configPath = join(dir, 'config.json');
  const configText = await readTextIfPresent(configPath);
  if (configText === null)
    throw new AppError('not_found', `${configPath}: not found, so ${dir} is not a model folder`);
  const config = parseModelConfig(configPath, parseJson(configPath, configText));
  const parametersP = await readWeights(dir, config);
  const textFiles: TextFiles = {};
  for (const name of TEXT_FILES) {
    const text = await readTextIfPresent(join(dir, name));
    if (text !== null) textFiles[name] = text;
  }
  return { config, parametersP, textFiles, optimizer: await readOptimizer(dir, parametersP.length) };
}

async function readWeights(dir: string, config: ModelConfig): Promise<Float32Array> {
  const fileOf = await weightFiles(dir);
  const parametersP = new Float32Array(parameterCount(config));
  const opened = new Map<string, SafetensorsFile>();
  try {
    for (const place of weightPlaces(config)) {
      const path = fileOf(place.name);
      const file = opened.get(path) ?? (await SafetensorsFile.open(path));
      opened.set(path, file);
      placeWeight(place, await file.read(place.name, place.shape), parametersP);
    }
  } finally {
    for (const file of opened.values()) await file.close();
  }
  return parametersP;
}

/** Says which file holds a tensor. */
async function weightFiles(dir: string): Promise<(name: string) => string> {
  const indexPath = join(dir, 'model.safetensors.index.json');
  const indexText = await readTextIfPresent(indexPath);
  if (indexText === null) return () => join(dir, 'model.safetensors');
  const index = indexSchema.safeParse(parseJson(indexPath, indexText));
  if (!index.success)
    throw new AppError('invalid_input', `${indexPath}: weight_map is not a map of tensor to file`);
  return (name) => {
    const file = index.data.weight_map[name];
    if (file === undefined) throw new AppError('invalid_input', `${indexPath}: tensor "${name}" is missing`);
    if (file !== basename(file) || file.startsWith('.'))
      throw new AppError(
        'invalid_input',
        `${indexPath}: tensor "${name}" lies in "${file}", outside the folder`,
      );
    return join(dir, file);
  };
}

/**
 * Writes a Hugging Face folder. Everything goes to a temporary sibling, synced and then renamed, so that `dir` either
 * holds a whole checkpoint or does not exist; an older one of that name is replaced. f32 round trips to the last bit.
 */
export async function saveCheckpoint(
  dir: string,
  checkpoint: Checkpoint,
  dtype: 'F32' | 'BF16' = 'F32',
): Promise<void> {
  const parent = dirname(dir);
  const partial = join(parent, `.${basename(dir)}.partial`);
  await mkdir(parent, { recursive: true });
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  try {
    await writeFiles(partial, checkpoint, dtype);
    await syncFolder(partial);
    await replaceFolder(partial, dir);
    await syncFolder(parent);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function writeFiles(dir: string, checkpoint: Checkpoint, dtype: 'F32' | 'BF16'): Promise<void> {
  const { config, parametersP, textFiles, optimizer } = checkpoint;
  const rendered = renderModelConfig(config, dtype === 'F32' ? 'float32' : 'bfloat16');
  await writeText(join(dir, 'config.json'), `${JSON.stringify(rendered, null, 2)}\n`);
  for (const name of TEXT_FILES) {
    const text = textFiles[name];
    if (text !== undefined) await writeText(join(dir, name), text);
  }
  const tensors = weightPlaces(config).map((place) => ({
    name: place.name,
    shape: place.shape,
    values: extractWeight(place, parametersP),
    dtype,
  }));
  await writeSafetensors(join(dir, 'model.safetensors'), tensors, { format: 'pt' });
  if (optimizer) await writeOptimizer(dir, optimizer);
}

async function writeText(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes renames and new names within a folder survive a power cut. */
async function syncFolder(dir: string): Promise<void> {
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
