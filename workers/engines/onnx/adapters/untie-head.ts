import { AppError } from '@/contract/errors';
import type { Checkpoint } from '../checkpoint/folder';
import { parameterCount, parameterSpecs } from '../model/parameters';

/**
 * The same model with an output head of its own, equal to the embedding that it was tied to. An adapter on the head alone
 * needs it, as PEFT has it: merged into the shared matrix it would move the embedding too.
 */
export function untieHead(checkpoint: Checkpoint): Checkpoint {
  if (!checkpoint.config.tiedEmbeddings) return checkpoint;
  const config = { ...checkpoint.config, tiedEmbeddings: false };
  const parametersP = new Float32Array(parameterCount(config));
  const tied = new Map(parameterSpecs(checkpoint.config).map((spec) => [spec.name, spec]));
  for (const { name, offset, size } of parameterSpecs(config)) {
    const source = tied.get(name === 'head' ? 'embedding' : name);
    if (!source) throw new AppError('internal', `the tied model has no parameter ${name}`);
    parametersP.set(checkpoint.parametersP.subarray(source.offset, source.offset + size), offset);
  }
  return { ...checkpoint, config, parametersP, optimizer: null };
}
