import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@/contract/errors';
import type { AdamState } from '../training/adamw';
import { SafetensorsFile, writeSafetensors } from './safetensors';

const FILE = 'optimizer.safetensors';

/** Writes `optimizer.safetensors` into a folder: flat moments in f32, and the update count in its metadata. */
export async function writeOptimizer(dir: string, { m, v, updates }: AdamState): Promise<void> {
  const tensors = [
    { name: 'm', shape: [m.length], values: m, dtype: 'F32' as const },
    { name: 'v', shape: [v.length], values: v, dtype: 'F32' as const },
  ];
  await writeSafetensors(join(dir, FILE), tensors, { updates: String(updates) });
}

/** Reads it back, or null where the folder has none. Throws where its size does not fit the model. */
export async function readOptimizer(dir: string, parameters: number): Promise<AdamState | null> {
  const path = join(dir, FILE);
  const isPresent = await access(path).then(
    () => true,
    () => false,
  );
  if (!isPresent) return null;
  const file = await SafetensorsFile.open(path);
  try {
    const updates = Number(file.metadata['updates']);
    if (!Number.isInteger(updates) || updates < 0)
      throw new AppError(
        'invalid_input',
        `${path}: metadata "updates" is "${file.metadata['updates']}", not a count`,
      );
    const [m, v] = [await file.readFinite('m', [parameters]), await file.readFinite('v', [parameters])];
    return { m, v, updates };
  } finally {
    await file.close();
  }
}
