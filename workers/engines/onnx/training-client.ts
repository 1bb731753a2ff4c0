import type {
  AdamParams,
  Datum,
  ForwardBackwardOutput,
  LossFn,
  LossFnConfig,
  OptimStepOutput,
  SamplingClient,
  TrainingClient,
} from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { ModelConfig } from './model/parameters';
import { partitionByPrompt } from './pool/partition';
import type { ChildOperations } from './pool/messages';
import type { ChildPool } from './pool/pool';
import { OnnxSamplingClient } from './sampling-client';
import type { TrainableWeights } from './trainable-weights';
import { targetedSequences } from './training/datum-targets';

/** Version of the weights an engine starts with. */
export const INITIAL_VERSION = 0;

/**
 * The weights under training. Children compute gradients of shares of the data; summing them and the update happen
 * here. Calls run one after another in the order they are made, awaited or not.
 */
export class OnnxTrainingClient implements TrainingClient {
  private readonly gradientP: Float32Array;
  /** Counts changes of the weights; children and sampling clients name weights by it. */
  private version = INITIAL_VERSION;
  private hasGradient = false;
  private last: Promise<unknown> = Promise.resolve();

  /** Begins with the weights as they are; `loadState` is what resumes an optimizer. */
  constructor(
    private readonly pool: ChildPool,
    private readonly config: ModelConfig,
    private readonly weights: TrainableWeights,
  ) {
    this.gradientP = new Float32Array(weights.parametersP.length);
  }

  forwardBackward(data: Datum[], lossFn: LossFn, config: LossFnConfig = {}): Promise<ForwardBackwardOutput> {
    return this.inOrder(async () => {
      const { shares, results } = await this.onChildren('computeGradient', data, lossFn, config);
      // Added only once every share is there, and in the order of the children: f32 sums depend on their order.
      for (const result of results) if (result) addInto(this.gradientP, result.gradientP);
      this.hasGradient = true;
      return mergeShares(data.length, lossFn, shares, results);
    });
  }

  forward(data: Datum[], lossFn: LossFn, config: LossFnConfig = {}): Promise<ForwardBackwardOutput> {
    return this.inOrder(async () => {
      const { shares, results } = await this.onChildren('computeLoss', data, lossFn, config);
      return mergeShares(data.length, lossFn, shares, results);
    });
  }

  optimStep(adam: AdamParams): Promise<OptimStepOutput> {
    return this.inOrder(async () => {
      const output = this.weights.update(this.gradientP, adam);
      this.clearGradient();
      this.version++;
      return output;
    });
  }

  saveState(dir: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.hasGradient)
        throw new AppError('conflict', `${dir}: a gradient waits for optimStep, a checkpoint would lose it`);
      await this.weights.save(dir);
    });
  }

  loadState(dir: string): Promise<void> {
    return this.inOrder(async () => {
      await this.weights.load(dir);
      this.clearGradient();
      this.version++;
    });
  }

  saveWeightsForSampler(): Promise<SamplingClient> {
    return this.inOrder(async () => {
      const policy = { version: this.version, parametersP: this.weights.parametersP.slice() };
      return new OnnxSamplingClient(this.pool, this.config, policy);
    });
  }

  /** One pass, shared out: each child's indices into `data`, and its result, null where it had nothing to do. */
  private async onChildren<Name extends 'computeLoss' | 'computeGradient'>(
    operation: Name,
    data: readonly Datum[],
    lossFn: LossFn,
    lossFnConfig: LossFnConfig,
  ): Promise<{ shares: number[][]; results: (ChildOperations[Name]['result'] | null)[] }> {
    const sequences = targetedSequences(data, lossFn, lossFnConfig, this.config);
    const shares = partitionByPrompt(sequences, this.pool.size);
    const policy = { version: this.version, parametersP: this.weights.parametersP };
    const results = await Promise.all(
      shares.map((indices, lane) => {
        if (indices.length === 0) return null;
        const share = indices.flatMap((index) => data[index] ?? []);
        return this.pool.lane(lane).request(operation, { data: share, lossFn, lossFnConfig }, policy);
      }),
    );
    return { shares, results };
  }

  private clearGradient(): void {
    this.gradientP.fill(0);
    this.hasGradient = false;
  }

  private inOrder<Result>(call: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(call);
    // A failed call does not spoil the next; its caller has the error.
    this.last = result.catch(() => undefined);
    return result;
  }
}

function addInto(sumP: Float32Array, termP: Float32Array): void {
  for (let i = 0; i < sumP.length; i++) sumP[i] = (sumP[i] ?? 0) + (termP[i] ?? 0);
}

/** Puts the shares' per-datum arrays back in the order of the data. */
function mergeShares(
  count: number,
  lossFn: LossFn,
  shares: readonly (readonly number[])[],
  results: readonly (ForwardBackwardOutput | null)[],
): ForwardBackwardOutput {
  const empty = (): Float32Array[] => Array.from({ length: count }, () => new Float32Array());
  const merged = {
    logprobs: empty(),
    entropies: lossFn === 'cross_entropy' ? undefined : empty(),
    lossSum: 0,
    trainedTokens: 0,
  };
  results.forEach((result, child) => {
    if (!result) return;
    merged.lossSum += result.lossSum;
    merged.trainedTokens += result.trainedTokens;
    shares[child]?.forEach((index, position) => {
      merged.logprobs[index] = result.logprobs[position] ?? new Float32Array();
      if (merged.entropies) merged.entropies[index] = result.entropies?.[position] ?? new Float32Array();
    });
  });
  return merged;
}
