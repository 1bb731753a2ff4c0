/**
 * Entry of an engine's child process: it computes one request after another on one thread. Weights stay until a
 * request brings others.
 */
import type { ForwardBackwardOutput } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { Sampler } from '../sampling/sampler';
import { Trainer } from '../training/trainer';
import { parameterCount } from '../model/parameters';
import {
  type ChildOperations,
  type ChildReply,
  type ChildRequest,
  type ChildSettings,
  type GradientShare,
  type LossRequest,
  type OperationName,
  VECTOR_FILE,
} from './messages';
import { readVector, writeVector } from './vector-file';

class ChildEngine {
  private constructor(
    private readonly parametersP: Float32Array,
    private readonly sampler: Sampler,
    private readonly trainer: Trainer,
  ) {}

  static async open({ config, microBatchTokens, prefixCacheBytes }: ChildSettings): Promise<ChildEngine> {
    const parameters = new Float32Array(parameterCount(config));
    const sampler = await Sampler.open(config, { parametersP: parameters, prefixCacheBytes });
    const trainer = new Trainer({ config, parameters, maxMicroBatchTokens: microBatchTokens });
    return new ChildEngine(parameters, sampler, trainer);
  }

  answer(
    request: Exclude<ChildRequest, { operation: 'open' }>,
  ): Promise<ChildOperations[OperationName]['result']> {
    if (request.parametersP) {
      if (request.parametersP === 'in file') readVector(VECTOR_FILE, this.parametersP);
      else this.parametersP.set(request.parametersP);
      this.sampler.forget();
    }
    switch (request.operation) {
      case 'sampleBatch':
        return this.sampler.sampleBatch(request.argument);
      case 'computeLogprobs':
        return this.sampler.computeLogprobs(request.argument);
      case 'computeLoss':
        return this.computeLoss(request.argument);
      case 'computeGradient':
        return this.computeGradient(request.argument);
    }
  }

  private computeLoss({ data, lossFn, lossFnConfig }: LossRequest): Promise<ForwardBackwardOutput> {
    return this.trainer.forward(data, lossFn, lossFnConfig);
  }

  private async computeGradient({ data, lossFn, lossFnConfig }: LossRequest): Promise<GradientShare> {
    this.trainer.gradient.fill(0);
    const output = await this.trainer.accumulate(data, lossFn, lossFnConfig);
    return { ...output, gradientP: this.trainer.gradient };
  }
}

let engine: ChildEngine | null = null;

async function answer(request: ChildRequest): Promise<ChildOperations[OperationName]['result']> {
  if (request.operation === 'open') {
    engine = await ChildEngine.open(request.argument);
    return null;
  }
  if (!engine)
    throw new AppError('internal', `engine child was asked to ${request.operation} before it was opened`);
  return engine.answer(request);
}

async function reply(request: ChildRequest): Promise<ChildReply> {
  const { id } = request;
  try {
    const result = await answer(request);
    if (!request.hasFile || result === null || !('gradientP' in result)) return { id, result };
    const { gradientP, ...share } = result;
    writeVector(VECTOR_FILE, gradientP);
    return { id, share, gradientElements: gradientP.length };
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'internal';
    return { id, error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}

let last: Promise<void> = Promise.resolve();
process.on('message', (request: ChildRequest) => {
  last = last.then(async () => {
    const message = await reply(request);
    // A parent that has gone meanwhile is noticed by the closing of the channel, not by this error.
    process.send?.(message, undefined, undefined, () => undefined);
  });
});
// A child without its parent has no one to compute for. Signals go to the whole group when a person presses Ctrl-C;
// the parent then still needs its children to end the step it is in.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
