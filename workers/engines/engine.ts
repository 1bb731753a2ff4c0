import { resolve } from 'node:path';
import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { REPOSITORY_DIR } from '../env';
import { createOnnxEngine } from './onnx/onnx-engine';

/** What a run's config says of its engine. */
export interface EngineSpec {
  kind: Engine['kind'];
  /** A Hugging Face folder, relative to the repository. */
  model: string;
  children: number;
  microBatchTokens: number;
}

/** Opens the engine a run asks for; the caller closes it. Throws where this worker cannot provide it. */
export async function createEngine({ kind, model, children, microBatchTokens }: EngineSpec): Promise<Engine> {
  if (kind !== 'onnx') throw new AppError('invalid_input', `engine.kind is "${kind}", this worker has: onnx`);
  return createOnnxEngine({ modelDir: resolve(REPOSITORY_DIR, model), children, microBatchTokens });
}
