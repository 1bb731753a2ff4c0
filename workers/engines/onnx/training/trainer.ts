/** Losses and gradients of a model whose parameters are one flat vector, computed by onnxruntime. */
import type { InferenceSession } from 'onnxruntime-node';
import { AppError } from '@/contract/errors';
import type { Datum, ForwardBackwardOutput, LossFn, LossFnConfig } from '@/contract/engine';
import { parameterCount, parameterSpecs } from '../model/parameters';
import type { ModelConfig, ParameterSpec } from '../model/parameters';
import { openSession, parameterFeeds } from '../session';
import { targetedSequences } from './datum-targets';
import { buildTrainingGraph } from './graph';
import { microBatches, microBatchFeeds } from './micro-batch';
import type { MicroBatch, MicroBatchFeeds } from './micro-batch';
import { packRows } from './packing';
import type { PackingOptions } from './packing';
import { batchFeeds, outputData } from './tensors';

export interface TrainerOptions {
  config: ModelConfig;
  /** The flat vector of `parameterSpecs`, read at every call; the optimizer may change it in place between calls. */
  parameters: Float32Array;
  /** Default 1: processes of one thread each outrun one of several threads. */
  intraOpNumThreads?: number;
  /** Tokens of a micro-batch, padding included, default 2048: bounds memory. A longer row is computed alone. */
  maxMicroBatchTokens?: number;
  packing?: PackingOptions;
}

export interface AccumulateOutput extends ForwardBackwardOutput {
  /** Tokens computed, padding included. */
  paddedTokens: number;
  /** Wall-clock seconds, graph building included. */
  seconds: number;
}

/** Computes losses and accumulates gradients. Calls must not overlap. */
export class Trainer {
  /** Sum of the gradients of all data since it was last cleared, laid out like the parameters. */
  readonly gradient: Float32Array;
  private readonly config: ModelConfig;
  private readonly specs: ParameterSpec[];
  private readonly parameterFeeds: ReturnType<typeof parameterFeeds>;
  private readonly intraOpNumThreads: number;
  private readonly maxMicroBatchTokens: number;
  private readonly packing: PackingOptions;
  private readonly sessions = new Map<string, Promise<InferenceSession>>();

  /** Throws where the vector's length is not the model's parameter count. */
  constructor(options: TrainerOptions) {
    const { config, parameters } = options;
    const count = parameterCount(config);
    if (parameters.length !== count)
      throw new AppError(
        'invalid_input',
        `parameters has ${parameters.length} elements, the model has ${count}`,
      );
    this.config = config;
    this.specs = parameterSpecs(config);
    this.gradient = new Float32Array(count);
    this.parameterFeeds = parameterFeeds(config, parameters);
    this.intraOpNumThreads = options.intraOpNumThreads ?? 1;
    this.maxMicroBatchTokens = options.maxMicroBatchTokens ?? 2048;
    this.packing = options.packing ?? {};
  }

  /**
   * Computes the loss of `data` and adds its gradient to `gradient`. Results are NaN at targets with neither weight
   * nor advantage: they are not computed. Throws on data that do not fit (nothing is added), and where the loss is not
   * finite (then part of the gradient may have been added: clear it).
   */
  accumulate(
    data: readonly Datum[],
    lossFn: LossFn,
    lossConfig: LossFnConfig = {},
  ): Promise<AccumulateOutput> {
    return this.pass(data, lossFn, lossConfig, { backward: true });
  }

  /** What `accumulate` gives, without its gradient. */
  forward(data: readonly Datum[], lossFn: LossFn, lossConfig: LossFnConfig = {}): Promise<AccumulateOutput> {
    return this.pass(data, lossFn, lossConfig, { backward: false });
  }

  private async pass(
    data: readonly Datum[],
    lossFn: LossFn,
    lossConfig: LossFnConfig,
    { backward }: { backward: boolean },
  ): Promise<AccumulateOutput> {
    const start = performance.now();
    const sequences = targetedSequences(data, lossFn, lossConfig, this.config);
    const rows = packRows(sequences, this.packing);
    const unknown = () => data.map((datum) => new Float32Array(datum.modelInput.length).fill(NaN));
    const results: AccumulateOutput = {
      logprobs: unknown(),
      entropies: lossFn === 'cross_entropy' ? undefined : unknown(),
      lossSum: 0,
      trainedTokens: rows.reduce((tokens, row) => tokens + row.size, 0),
      paddedTokens: 0,
      seconds: 0,
    };
    for (const batch of microBatches(rows, this.maxMicroBatchTokens)) {
      const feeds = microBatchFeeds(batch, lossFn, lossConfig, this.config.vocabularySize);
      const session = await this.session(batch.rowLength, lossFn, backward);
      const outputs = await session.run({ ...this.parameterFeeds, ...batchFeeds(feeds, 'f32') });
      const loss = outputData(outputs, 'loss')[0] ?? NaN;
      if (!Number.isFinite(loss))
        throw new AppError('internal', `the ${lossFn} loss of a micro-batch is ${loss}, not a finite number`);
      if (backward) this.addGradients(outputs);
      readResults(batch, feeds, outputs, results);
      results.lossSum += loss;
      results.paddedTokens += batch.rows.length * batch.rowLength;
    }
    results.seconds = (performance.now() - start) / 1000;
    return results;
  }

  /** Frees the sessions; the trainer is of no use afterwards. */
  async release(): Promise<void> {
    const sessions = await Promise.all(this.sessions.values());
    this.sessions.clear();
    await Promise.all(sessions.map((session) => session.release()));
  }

  private session(rowLength: number, lossFn: LossFn, backward: boolean): Promise<InferenceSession> {
    const key = `${lossFn} ${rowLength} ${backward}`;
    const known = this.sessions.get(key);
    if (known) return known;
    const graph = buildTrainingGraph({ config: this.config, rowLength, lossFn, backward });
    const opened = openSession(graph, this.intraOpNumThreads);
    this.sessions.set(key, opened);
    return opened;
  }

  private addGradients(outputs: InferenceSession.OnnxValueMapType): void {
    for (const { name, offset, size } of this.specs) {
      const sum = this.gradient.subarray(offset, offset + size);
      const part = outputData(outputs, `gradient.${name}`);
      for (let index = 0; index < size; index++) sum[index] = (sum[index] ?? 0) + (part[index] ?? 0);
    }
  }
}

function readResults(
  batch: MicroBatch,
  feeds: MicroBatchFeeds,
  outputs: InferenceSession.OnnxValueMapType,
  results: ForwardBackwardOutput,
): void {
  const logprobs = outputData(outputs, 'logprobs');
  const entropies = results.entropies && outputData(outputs, 'entropies');
  batch.rows.forEach((row, index) => {
    const first = feeds.firstTarget[index] ?? 0;
    for (const { sequence, position, target } of row.readings) {
      const ownLogprobs = results.logprobs[sequence];
      if (ownLogprobs) ownLogprobs[position] = logprobs[first + target] ?? NaN;
      const ownEntropies = results.entropies?.[sequence];
      if (ownEntropies) ownEntropies[position] = entropies?.[feeds.positionOf[first + target] ?? -1] ?? NaN;
    }
  });
}
