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
import { type Checkpoint, loadCheckpoint, saveCheckpoint } from './checkpoint/folder';
import type { ModelConfig } from './model/parameters';
import { partitionByPrompt } from './pool/partition';
import type { ChildOperations } from './pool/messages';
import type { ChildPool } from './pool/pool';
import { OnnxSamplingClient } from './sampling-client';
import { adamStep, type AdamState, createAdamState } from './training/adamw';
import { targetedSequences } from './training/datum-targets';

/** Version of the weights an engine starts with. */
export const INITIAL_VERSION = 0;

/**
 * The weights under training. Children compute gradients of shares of the data; summing them and the update happen
 * here. Calls run one after another in the order they are made, awaited or not.
 */
export class OnnxTrainingClient implements TrainingClient {
  private parametersP: Float32Array;
  private readonly gradientP: Float32Array;
  private adam: AdamState;
  /** Counts changes of the weights; children and sampling clients name weights by it. */
  private version = INITIAL_VERSION;
  private hasGradient = false;
  private last: Promise<unknown> = Promise.resolve();

  /** Begins with the weights of `origin` and zero moments; `loadState` is what resumes an optimizer. */
  constructor(
    private readonly pool: ChildPool,
    private readonly origin: Checkpoint,
  ) {
    this.parametersP = origin.parametersP.slice();
    this.gradientP = new Float32Array(this.parametersP.length);
    this.adam = createAdamState(this.parametersP.length);
  }

  private get config(): ModelConfig {
    return this.origin.config;
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
      const { gradNorm } = adamStep(this.parametersP, this.gradientP, this.adam, adam);
      this.clearGradient();
      this.version++;
      return { gradNorm, updates: this.adam.updates };
    });
  }

  saveState(dir: string): Promise<void> {
    return this.inOrder(async () => {
      if (this.hasGradient)
        throw new AppError('conflict', `${dir}: a gradient waits for optimStep, a checkpoint would lose it`);
      await saveCheckpoint(dir, { ...this.origin, parametersP: this.parametersP, optimizer: this.adam });
    });
  }

  loadState(dir: string): Promise<void> {
    return this.inOrder(async () => {
      const loaded = await loadCheckpoint(dir);
      for (const [field, value] of Object.entries(this.config)) {
        const other = loaded.config[field as keyof ModelConfig];
        if (other !== value)
          throw new AppError(
            'invalid_input',
            `${dir}: ${field} is ${other}, this engine's model has ${value}`,
          );
      }
      this.parametersP = loaded.parametersP;
      this.adam = loaded.optimizer ?? createAdamState(loaded.parametersP.length);
      this.clearGradient();
      this.version++;
    });
  }

  saveWeightsForSampler(): Promise<SamplingClient> {
    return this.inOrder(async () => {
      const policy = { version: this.version, parametersP: this.parametersP.slice() };
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
    const policy = { version: this.version, parametersP: this.parametersP };
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
