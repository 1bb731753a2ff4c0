/** The weights of a Hugging Face folder: one safetensors file, or shards with an index. */
import { basename, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { type ModelConfig, parameterCount } from '../model/parameters';
import { parseJson, readTextIfPresent, writeText } from './json-file';
import { BFLOAT16_LIMIT, FLOAT16_LIMIT } from './half-precision';
import { firstNonFinite, SafetensorsFile, type WeightType, writeSafetensors } from './safetensors';
import { extractWeight, placeWeight, type WeightPlace, weightPlaces } from './weight-layout';

const WHOLE_FILE = 'model.safetensors';
const INDEX_FILE = 'model.safetensors.index.json';

/** transformers' own limit of a file of weights; more go to shards. */
const MAX_SHARD_BYTES = 5_000_000_000;

const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) });

/**
 * Reads every weight of the model into the flat vector of `parameterSpecs`. All tensors are checked by name, shape and
 * dtype before the first is read. Throws `not_found` or `invalid_input` naming file and tensor: for one that is missing,
 * misshapen, not finite, or that no model of this config has.
 */
export async function readWeights(dir: string, config: ModelConfig): Promise<Float32Array> {
  const places = weightPlaces(config);
  const fileOf = await weightFiles(dir);
  const opened = new Map<string, SafetensorsFile>();
  try {
    const placed: [WeightPlace, SafetensorsFile][] = [];
    for (const place of places) {
      const path = fileOf(place.name);
      const file = opened.get(path) ?? (await openWeights(path, place.name));
      opened.set(path, file);
      file.require(place.name, place.shape);
      placed.push([place, file]);
    }
    for (const file of opened.values()) refuseOthers(file, places, config);
    const parametersP = new Float32Array(parameterCount(config));
    for (const [place, file] of placed)
      placeWeight(place, await file.readFinite(place.name, place.shape), parametersP);
    return parametersP;
  } finally {
    for (const file of opened.values()) await file.close();
  }
}

/** Says which file holds a tensor. */
async function weightFiles(dir: string): Promise<(name: string) => string> {
  const indexPath = join(dir, INDEX_FILE);
  const indexText = await readTextIfPresent(indexPath);
  if (indexText === null) return () => join(dir, WHOLE_FILE);
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

async function openWeights(path: string, tensor: string): Promise<SafetensorsFile> {
  return SafetensorsFile.open(path).catch((cause: unknown) => {
    if (!(cause instanceof AppError) || cause.code !== 'not_found') throw cause;
    throw new AppError(
      'not_found',
      `${path}: cannot be opened, but holds tensor "${tensor}"; weights are read from safetensors files`,
      [],
      { cause },
    );
  });
}

/**
 * A tensor that the model would pass over means that config and weights do not belong together. Older releases of
 * transformers saved the rotation's frequencies, and a tied head may lie beside its embedding.
 */
function refuseOthers(file: SafetensorsFile, places: readonly WeightPlace[], config: ModelConfig): void {
  const known = new Set(places.map(({ name }) => name));
  if (config.tiedEmbeddings) known.add('lm_head.weight');
  const other = file.names.find((name) => !known.has(name) && !name.endsWith('.rotary_emb.inv_freq'));
  if (other !== undefined)
    throw new AppError(
      'invalid_input',
      `${file.path}: tensor "${other}" belongs to no model of its config.json`,
    );
}

export interface WeightFormat {
  /** Element type on disk, default `F32`. */
  dtype?: WeightType;
  /** Most bytes of a file, headers not counted, where a single tensor is no larger; default 5 GB. */
  maxShardBytes?: number;
}

/**
 * Writes the weights as transformers names them: `model.safetensors`, or shards and their index where they have more
 * than `maxShardBytes`. Throws `conflict`, naming tensor and index, for weights that are not finite in `dtype`.
 */
export async function writeWeights(
  dir: string,
  config: ModelConfig,
  parametersP: Float32Array,
  { dtype = 'F32', maxShardBytes = MAX_SHARD_BYTES }: WeightFormat = {},
): Promise<void> {
  const bytesOf = ({ shape }: WeightPlace): number =>
    shape.reduce((product, size) => product * size, dtype === 'F32' ? 4 : 2);
  const shards = inShards(weightPlaces(config), bytesOf, maxShardBytes);
  const digits = (number: number): string => String(number).padStart(5, '0');
  const weightMap: Record<string, string> = {};
  for (const [index, places] of shards.entries()) {
    const file =
      shards.length === 1 ? WHOLE_FILE : `model-${digits(index + 1)}-of-${digits(shards.length)}.safetensors`;
    const path = join(dir, file);
    const tensors = places.map((place) => ({
      name: place.name,
      shape: place.shape,
      values: finiteWeight(path, place, parametersP, dtype),
      dtype,
    }));
    await writeSafetensors(path, tensors, { format: 'pt' });
    for (const { name } of places) weightMap[name] = file;
  }
  if (shards.length === 1) return;
  const totalSize = shards.flat().reduce((sum, place) => sum + bytesOf(place), 0);
  const indexJson = { metadata: { total_size: totalSize }, weight_map: weightMap };
  await writeText(join(dir, INDEX_FILE), `${JSON.stringify(indexJson, null, 2)}\n`);
}

/** Consecutive tensors, as many to a shard as its bytes allow and at least one. */
function inShards(
  places: readonly WeightPlace[],
  bytesOf: (place: WeightPlace) => number,
  maxBytes: number,
): WeightPlace[][] {
  const shards: WeightPlace[][] = [];
  let room = 0;
  for (const place of places) {
    const bytes = bytesOf(place);
    if (bytes > room) {
      shards.push([]);
      room = maxBytes;
    }
    shards.at(-1)?.push(place);
    room -= bytes;
  }
  return shards;
}

/** Magnitude from which each type holds no finite number. */
const LIMITS: Readonly<Record<WeightType, number>> = {
  F32: Infinity,
  BF16: BFLOAT16_LIMIT,
  F16: FLOAT16_LIMIT,
};

function finiteWeight(
  path: string,
  place: WeightPlace,
  parametersP: Float32Array,
  dtype: WeightType,
): Float32Array {
  const values = extractWeight(place, parametersP);
  const refuse = (found: string, reason: string): never => {
    throw new AppError('conflict', `${path}: tensor "${place.name}" holds ${found}: ${reason}`);
  };
  const found = firstNonFinite(values, place.shape);
  if (found !== null) refuse(found, 'the weights have diverged and are not saved');
  const large = values.find((value) => Math.abs(value) >= LIMITS[dtype]);
  if (large !== undefined) refuse(String(large), `${dtype} has no number that large, F32 has`);
  return values;
}
