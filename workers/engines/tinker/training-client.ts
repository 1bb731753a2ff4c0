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
import { readCheckpointReference, writeCheckpointReference } from './checkpoint-reference';
import type { TinkerConnection } from './connection';
import { toForwardBackwardInputs } from './datum-wire';
import { toForwardBackwardOutput } from './forward-backward-output';
import { awaitResult, type Submitted } from './future';
import type { TinkerProfile } from './profile';
import { decodeForwardBackwardAnswer, encodeForwardBackwardRequest } from './protobuf/forward-backward';
import { RemoteModel, type RemoteModelSpec } from './remote-model';
import { savedPath } from './saved-path';
import type { TinkerSession } from './session';
import {
  CreateSamplingSessionAnswer,
  ForwardBackwardAnswer,
  ForwardBackwardRequest,
  type ForwardBackwardInput,
  LoadWeightsAnswer,
  OptimStepAnswer,
  SaveForSamplerAnswer,
} from './wire';

export type Codec = 'json' | 'protobuf';

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

  private constructor(
    private readonly parts: TrainingParts,
    private model: RemoteModel,
  ) {}

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
    const submitted = await this.inOrder(async () => {
      const inputs = toForwardBackwardInputs(data, lossFn, config, profile);
      if (profile.lossReduction === 'sequence-mean' && this.gradients > 0)
        throw new AppError(
          'invalid_input',
          `a ${profile.id} server averages over all data since the last update: expected one forwardBackward before each optimStep`,
        );
      this.gradients++;
      const parts: Submitted[] = [];
      for (const input of inputs) parts.push(await this.submitForwardBackward(input));
      return parts;
    });
    const answers = await Promise.all(submitted.map((part) => this.forwardBackwardResult(part)));
    return toForwardBackwardOutput(answers, {
      data,
      lossFn,
      config,
      profile,
      server: this.parts.connection.address,
    });
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
    const { connection, baseModel, loraRank } = this.parts;
    await this.inOrder(async () => {
      const { model, updates } = this;
      const path = await savedPath(connection, model, checkpointName(dir, model.nextSeqId));
      await writeCheckpointReference(dir, {
        format: 'tinker-checkpoint',
        server: connection.address,
        baseModel,
        path,
        loraRank,
        updates,
      });
    });
  }

  /** Restores what `saveState` saved on this server. Servers load into a fresh model only, so a used one is replaced. */
  async loadState(dir: string): Promise<void> {
    const { connection, session, baseModel } = this.parts;
    await this.inOrder(async () => {
      const reference = await readCheckpointReference(dir);
      if (reference.baseModel !== baseModel)
        throw new AppError(
          'invalid_input',
          `${dir}: its base model is ${reference.baseModel}, this engine's is ${baseModel}`,
        );
      const spec = { baseModel, loraRank: reference.loraRank };
      const isReusable = this.model.isFresh && reference.loraRank === this.parts.loraRank;
      const model = isReusable ? this.model : await RemoteModel.create(connection, session, spec);
      const fields = { type: 'load_weights', path: reference.path, optimizer: true };
      await this.result(LoadWeightsAnswer, await model.submit('load_weights', fields));
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

  private submitForwardBackward(input: ForwardBackwardInput): Promise<Submitted> {
    const fields = { forward_backward_input: input };
    if (this.parts.codec === 'json') return this.model.submit('forward_backward', fields);
    return this.model.submit('forward_backward', fields, {
      encode: (body) => encodeForwardBackwardRequest(ForwardBackwardRequest.parse(body)),
      headers: { Accept: 'application/x-protobuf' },
    });
  }

  private async forwardBackwardResult(submitted: Submitted): Promise<ForwardBackwardAnswer> {
    const { connection } = this.parts;
    const reply = await awaitResult(connection, submitted);
    if (reply.headers.get('content-type')?.startsWith('application/x-protobuf'))
      return decodeForwardBackwardAnswer(reply.bytes);
    return connection.parse(ForwardBackwardAnswer, submitted, reply);
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

/** A name no other checkpoint of the model has, in the letters that servers take. */
function checkpointName(dir: string, seqId: number): string {
  return `${basename(dir).replace(/[^a-zA-Z0-9_-]/g, '-')}-${seqId}`.slice(-255);
}
