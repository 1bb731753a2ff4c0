import { basename } from 'node:path';
import type { z } from 'zod';
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
import { checkLossConfig } from '../loss-config';
import {
  readCheckpointReference,
  writeCheckpointReference,
  type CheckpointReference,
} from './checkpoint-reference';
import type { TinkerConnection } from './connection';
import { checkData, isCounted } from './datum-check';
import { toForwardBackwardInputs } from './datum-wire';
import { toForwardBackwardOutput } from './forward-backward-output';
import { toWeightedTargets } from './token-loss';
import { awaitResult, type Submitted } from './future';
import { ModelPasses, type Codec } from './model-passes';
import { servesLoss, type TinkerProfile } from './profile';
import { RemoteModel, type RemoteModelSpec } from './remote-model';
import { savedPath } from './saved-path';
import type { TinkerSession } from './session';
import {
  CreateSamplingSessionAnswer,
  type ForwardBackwardAnswer,
  type ForwardBackwardInput,
  LoadWeightsAnswer,
  OptimStepAnswer,
  SaveForSamplerAnswer,
} from './wire';

export interface TrainingParts extends RemoteModelSpec {
  connection: TinkerConnection;
  session: TinkerSession;
  profile: TinkerProfile;
  codec: Codec;
  /** A sampling client of a sampling session. */
  openSampler(samplingSessionId: string): SamplingClient;
}

/**
 * A model under training on a server. Operations are submitted one after another in the order of the calls, awaited or not;
 * results are waited for side by side, so that an update is on its way before the gradient's answer is read.
 */
export class TinkerTrainingClient implements TrainingClient {
  private updates = 0;
  /** Since the last update. */
  private gradients = 0;
  private last: Promise<unknown> = Promise.resolve();
  private readonly passes: ModelPasses;

  private constructor(
    private readonly parts: TrainingParts,
    private model: RemoteModel,
  ) {
    this.passes = new ModelPasses(parts.connection, parts.codec);
  }

  static async create(parts: TrainingParts): Promise<TinkerTrainingClient> {
    return new TinkerTrainingClient(parts, await RemoteModel.create(parts.connection, parts.session, parts));
  }

  get modelId(): string {
    return this.model.id;
  }

  async forwardBackward(
    data: Datum[],
    lossFn: LossFn,
    config: LossFnConfig = {},
  ): Promise<ForwardBackwardOutput> {
    const { profile } = this.parts;
    checkLossConfig(lossFn, config);
    if (!servesLoss(profile, lossFn, config)) return this.forwardBackwardBySlopes(data, lossFn, config);
    const submitted = await this.inOrder(() =>
      this.submitGradient(toForwardBackwardInputs(data, lossFn, config, profile)),
    );
    return this.outputOf(await this.passes.results(submitted), data, lossFn, config);
  }

  async forward(data: Datum[], lossFn: LossFn, config: LossFnConfig = {}): Promise<ForwardBackwardOutput> {
    checkLossConfig(lossFn, config);
    const inputs = this.forwardInputs(data, lossFn, config);
    const submitted = await this.inOrder(() => this.passes.submitForward(this.model, inputs));
    return this.outputOf(await this.passes.results(submitted), data, lossFn, config);
  }

  /**
   * A loss that the server lacks, in two passes: log-probabilities first, then the cross-entropy whose gradient is the
   * loss's at these. Exact for every loss of the targets' log-probabilities alone.
   */
  private forwardBackwardBySlopes(
    data: Datum[],
    lossFn: LossFn,
    config: LossFnConfig,
  ): Promise<ForwardBackwardOutput> {
    const inputs = this.forwardInputs(data, lossFn, config);
    return this.inOrder(async () => {
      const answers = await this.passes.results(await this.passes.submitForward(this.model, inputs));
      const output = this.outputOf(answers, data, lossFn, config);
      const targets = toWeightedTargets(data, output.logprobs, lossFn, config);
      const gradient = toForwardBackwardInputs(targets, 'cross_entropy', {}, this.parts.profile);
      await this.passes.results(await this.submitGradient(gradient));
      return output;
    });
  }

  /** What a server is asked for a pass without gradient: the loss itself where it tells loss and entropies, else log-probabilities. */
  private forwardInputs(data: Datum[], lossFn: LossFn, config: LossFnConfig): ForwardBackwardInput[] {
    const { profile } = this.parts;
    if (profile.computesEntropyAndKl) return toForwardBackwardInputs(data, lossFn, config, profile);
    if (config.entropyCoef)
      throw new AppError(
        'invalid_input',
        `a ${profile.id} server computes no entropy, so it has no entropy bonus: entropyCoef is ${config.entropyCoef}, expected 0`,
      );
    checkData(data, lossFn, config);
    return toForwardBackwardInputs(
      data.map(scored),
      'cross_entropy',
      {},
      { ...profile, lossReduction: 'sum' },
    );
  }

  async optimStep(adam: AdamParams): Promise<OptimStepOutput> {
    const { submitted, updates } = await this.inOrder(async () => {
      const accepted = await this.model.submit('optim_step', {
        type: 'optim_step',
        adam_params: {
          learning_rate: adam.learningRate,
          beta1: adam.beta1,
          beta2: adam.beta2,
          eps: adam.eps,
          weight_decay: adam.weightDecay,
          grad_clip_norm: adam.gradClipNorm,
        },
      });
      this.gradients = 0;
      return { submitted: accepted, updates: ++this.updates };
    });
    const { metrics } = await this.result(OptimStepAnswer, submitted);
    // Servers prefix the metric with their own name.
    const gradNorm = Object.entries(metrics ?? {}).find(([name]) => /(^|[/.])grad_norm(:|$)/.test(name))?.[1];
    return { gradNorm: gradNorm ?? NaN, updates };
  }

  /**
   * Saves weights and moments on the server; `dir` then holds the reference that `loadState` reads. Throws where the
   * server does not save, and writes nothing then.
   */
  async saveState(dir: string): Promise<void> {
    const { connection, baseModel, lora } = this.parts;
    await this.inOrder(async () => {
      const { model, updates } = this;
      const path = await savedPath(connection, model, checkpointName(dir, model.nextSeqId));
      await writeCheckpointReference(dir, {
        format: 'tinker-checkpoint',
        server: connection.address,
        baseModel,
        path,
        loraRank: lora.rank,
        updates,
      });
    });
  }

  /** Restores what `saveState` saved on this server. Servers load into a fresh model only, so a used one is replaced. */
  async loadState(dir: string): Promise<void> {
    const { connection, session, baseModel, lora } = this.parts;
    await this.inOrder(async () => {
      const reference = await readCheckpointReference(dir);
      if (reference.baseModel !== baseModel)
        throw new AppError(
          'invalid_input',
          `${dir}: its base model is ${reference.baseModel}, this engine's is ${baseModel}`,
        );
      const spec = { baseModel, lora: { ...lora, rank: reference.loraRank } };
      const isReusable = this.model.isFresh && reference.loraRank === lora.rank;
      const model = isReusable ? this.model : await RemoteModel.create(connection, session, spec);
      await this.load(model, reference);
      const replaced = this.model;
      this.model = model;
      this.updates = reference.updates;
      this.gradients = 0;
      if (replaced !== model) await replaced.unload();
    });
  }

  async saveWeightsForSampler(): Promise<SamplingClient> {
    const { connection, session, openSampler } = this.parts;
    const submitted = await this.inOrder(() =>
      this.model.submit('save_weights_for_sampler', {
        type: 'save_weights_for_sampler',
        sampling_session_seq_id: session.nextSampler(),
      }),
    );
    const saved = await this.result(SaveForSamplerAnswer, submitted);
    if (saved.sampling_session_id) return openSampler(saved.sampling_session_id);
    const answer = await connection.request(CreateSamplingSessionAnswer, {
      route: 'create_sampling_session',
      body: {
        type: 'create_sampling_session',
        session_id: session.id,
        sampling_session_seq_id: session.nextSampler(),
        model_path: saved.path,
      },
    });
    return openSampler(answer.sampling_session_id);
  }

  async unload(): Promise<void> {
    await this.model.unload();
  }

  private async load(model: RemoteModel, { path, server }: CheckpointReference): Promise<void> {
    try {
      const submitted = await model.submit('load_weights', { type: 'load_weights', path, optimizer: true });
      await this.result(LoadWeightsAnswer, submitted);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `${error.message}; ${path} was saved on ${server}`, error.issues, {
        cause: error,
      });
    }
  }

  /** Submits the parts of one gradient, in order. */
  private async submitGradient(inputs: readonly ForwardBackwardInput[]): Promise<Submitted[]> {
    const { profile } = this.parts;
    if (profile.lossReduction === 'sequence-mean' && this.gradients > 0)
      throw new AppError(
        'invalid_input',
        `a ${profile.id} server averages over all data since the last update: expected one forwardBackward before each optimStep`,
      );
    this.gradients++;
    return this.passes.submitGradient(this.model, inputs);
  }

  private outputOf(
    answers: readonly ForwardBackwardAnswer[],
    data: readonly Datum[],
    lossFn: LossFn,
    config: LossFnConfig,
  ): ForwardBackwardOutput {
    const { profile, connection } = this.parts;
    return toForwardBackwardOutput(answers, { data, lossFn, config, profile, server: connection.address });
  }

  private async result<Answer>(schema: z.ZodType<Answer>, submitted: Submitted): Promise<Answer> {
    const reply = await awaitResult(this.parts.connection, submitted);
    return this.parts.connection.parse(schema, submitted, reply);
  }

  private inOrder<Result>(call: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(call);
    // A failed call does not spoil the next; its caller has the error.
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** The datum with a weight wherever its log-probability is needed. */
function scored(datum: Datum): Datum {
  const { targetTokens } = datum.lossFnInputs;
  const weights = targetTokens.map((_, t) => (isCounted(datum, t) ? 1 : 0));
  return { modelInput: datum.modelInput, lossFnInputs: { targetTokens, weights } };
}

/** A name no other checkpoint of the model has, in the letters that servers take. */
function checkpointName(dir: string, seqId: number): string {
  return `${basename(dir).replace(/[^a-zA-Z0-9_-]/g, '-')}-${seqId}`.slice(-255);
}
