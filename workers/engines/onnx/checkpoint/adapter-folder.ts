/** The adapters of a checkpoint: the folder `adapter` within it, which is one of PEFT's. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@/contract/errors';
import type { LoraSettings } from '@/contract/lora';
import type { AdaptedMatrix, AdapterLayout } from '../adapters/layout';
import type { AdamState } from '../training/adamw';
import { checkAdapterConfig, renderAdapterConfig } from './adapter-config';
import { syncFolder } from './folder';
import { readTextIfPresent, writeText } from './json-file';
import { readOptimizer, writeOptimizer } from './optimizer-file';
import { SafetensorsFile, writeSafetensors } from './safetensors';

const FOLDER = 'adapter';
const CONFIG_FILE = 'adapter_config.json';
const WEIGHTS_FILE = 'adapter_model.safetensors';
/** Metadata of the weights: which base they were trained on. Files of others lack it. */
const BASE_KEY = 'base_sha256';

/** What adapters are of. */
export interface AdapterOrigin {
  lora: LoraSettings;
  /** The base's name as `adapter_config.json` has it. */
  baseName: string;
  /** Of the base's flat f32 parameters, little-endian: adapters mean nothing on other weights of the same shape. */
  baseSha256: string;
}

/** The flat adapter vector, [Q], and its moments; null where the folder has weights only. */
export interface AdapterState {
  adaptersQ: Float32Array;
  optimizer: AdamState | null;
}

/** One factor as PEFT stores it. */
interface AdapterTensor {
  name: string;
  /** A is [rank, in], B is [out, rank]. */
  shape: [rows: number, columns: number];
  /** First element within the adapter vector. */
  offset: number;
  /** Whether the vector holds it as [columns, rows]. */
  isTransposed: boolean;
}

/** PEFT's tensors of a layout, by layer, A before B. */
export function adapterTensors({ rank, matrices }: AdapterLayout): AdapterTensor[] {
  return matrices.flatMap((matrix) => [factor(matrix, 'A', rank), factor(matrix, 'B', rank)]);
}

function factor(matrix: AdaptedMatrix, which: 'A' | 'B', rank: number): AdapterTensor {
  const { module, rows, columns, leftOffset, rightOffset, inputFactor } = matrix;
  const name = `base_model.model.${module}.lora_${which}.weight`;
  const isLeft = (which === 'A') === (inputFactor === 'left');
  const size = isLeft ? rows : columns;
  return {
    name,
    shape: which === 'A' ? [rank, size] : [size, rank],
    offset: isLeft ? leftOffset : rightOffset,
    // L lies as [size, rank] and R as [rank, size]; A is wanted as the latter, B as the former.
    isTransposed: isLeft === (which === 'A'),
  };
}

/** Writes the folder `adapter` into `dir`: PEFT's two files, and the optimizer's where there is one. */
export async function writeAdapters(
  dir: string,
  { lora, baseName, baseSha256 }: AdapterOrigin,
  layout: AdapterLayout,
  { adaptersQ, optimizer }: AdapterState,
): Promise<void> {
  const folder = join(dir, FOLDER);
  await mkdir(folder);
  await writeText(
    join(folder, CONFIG_FILE),
    `${JSON.stringify(renderAdapterConfig(lora, baseName), null, 2)}\n`,
  );
  const tensors = adapterTensors(layout).map(({ name, shape, offset, isTransposed }) => {
    const values = adaptersQ.subarray(offset, offset + shape[0] * shape[1]);
    return {
      name,
      shape,
      values: isTransposed ? transposed(values, shape[1], shape[0]) : values,
      dtype: 'F32' as const,
    };
  });
  await writeSafetensors(join(folder, WEIGHTS_FILE), tensors, { format: 'pt', [BASE_KEY]: baseSha256 });
  if (optimizer) await writeOptimizer(folder, optimizer);
  await syncFolder(folder);
}

/**
 * Reads them back from the checkpoint `dir`, to the last bit. Throws `not_found` where it has none, and `invalid_input`
 * naming file and field or tensor where they are of another rank, alpha, choice of layers, shape or base.
 */
export async function loadAdapters(
  dir: string,
  { lora, baseName, baseSha256 }: AdapterOrigin,
  layout: AdapterLayout,
): Promise<AdapterState> {
  const folder = join(dir, FOLDER);
  const configPath = join(folder, CONFIG_FILE);
  const configText = await readTextIfPresent(configPath);
  if (configText === null)
    throw new AppError(
      'not_found',
      `${configPath}: not found, so ${dir} has no adapters; this engine trains adapters of rank ${lora.rank}`,
    );
  checkAdapterConfig(configPath, configText, lora);
  const file = await SafetensorsFile.open(join(folder, WEIGHTS_FILE));
  try {
    const trainedOn = file.metadata[BASE_KEY];
    if (trainedOn !== undefined && trainedOn !== baseSha256)
      throw new AppError(
        'invalid_input',
        `${file.path}: ${BASE_KEY} is ${trainedOn}, the weights of ${baseName} have ${baseSha256}: these adapters were trained on another base`,
      );
    const adaptersQ = await readFactors(file, layout);
    return { adaptersQ, optimizer: await readOptimizer(folder, layout.size) };
  } finally {
    await file.close();
  }
}

async function readFactors(file: SafetensorsFile, layout: AdapterLayout): Promise<Float32Array> {
  const adaptersQ = new Float32Array(layout.size);
  const tensors = adapterTensors(layout);
  const known = new Set(tensors.map(({ name }) => name));
  const unknown = file.names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new AppError(
      'invalid_input',
      `${file.path}: tensor "${unknown}" is of no layer that this engine trains`,
    );
  for (const { name, shape, offset, isTransposed } of tensors) {
    const values = await file.read(name, shape);
    adaptersQ.set(isTransposed ? transposed(values, shape[0], shape[1]) : values, offset);
  }
  return adaptersQ;
}

/** [rows, columns] as [columns, rows]. */
function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      result[column * rows + row] = values[row * columns + column] ?? 0;
  return result;
}
