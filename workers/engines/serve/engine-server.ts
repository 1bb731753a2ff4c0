import { randomBytes } from 'node:crypto';
import type { SamplingClient } from '@/contract/engine';
import type { SeededLora } from '@/contract/lora';
import { createOnnxEngine, type OnnxEngine } from '../onnx/onnx-engine';
import { CheckpointFolder, type CheckpointPlace } from './checkpoint-folder';
import { FutureStore, type Result } from './futures';
import { Refusal } from './refusal';
import { ServedModel, type Operation } from './served-model';
import { CheckpointSamplers, heldSource, openSampler, type SamplerSource } from './sampler-source';
import { ServedSampler, type SamplerOrigin } from './served-sampler';
import type { ServeSettings } from './settings';

/** A step of training samples from the newest weights and may compare with a few before; older ones only hold memory. */
const SAMPLERS_KEPT_OF_A_MODEL = 8;
const LONGEST_SWEEP_MS = 15_000;

/** Sessions, models, samplers and results of one server. */
export class EngineServer {
  readonly futures: FutureStore;
  private readonly sessions = new Map<string, { heardAt: number }>();
  private readonly models = new Map<string, ServedModel>();
  private readonly samplers = new Map<string, ServedSampler>();
  private readonly checkpointSamplers: CheckpointSamplers;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    readonly settings: ServeSettings,
    readonly base: OnnxEngine,
    readonly checkpoints: CheckpointFolder,
    private readonly now: () => number,
  ) {
    this.futures = new FutureStore(now);
    this.checkpointSamplers = new CheckpointSamplers(settings.maxSamplers, async (path) => {
      const engine = await openEngine(settings, checkpoints.dirOf(await checkpoints.find(path)));
      return openSampler({ client: engine.base, stopTokens: engine.stopTokens }, () => engine.close());
    });
    const sweepMs = Math.min(LONGEST_SWEEP_MS, settings.sessionTimeoutMs / 4);
    this.timer = setInterval(() => this.sweep(), sweepMs);
    this.timer.unref();
  }

  /** Opens the base model; throws where its folder is none that the embedded engine computes, or none takes checkpoints. */
  static async open(settings: ServeSettings): Promise<EngineServer> {
    const checkpoints = await CheckpointFolder.open(settings.checkpointsDir);
    const base = await openEngine(settings, settings.modelDir);
    return new EngineServer(settings, base, checkpoints, () => performance.now());
  }

  createSession(): string {
    const id = newId('session');
    this.sessions.set(id, { heardAt: this.now() });
    return id;
  }

  /** Keeps a session alive; refuses with 404 one that is unknown or expired. */
  beat(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Refusal(404, 'Session not found');
    session.heardAt = this.now();
  }

  /** Creates a model with the base's weights, and the request that its opening is. */
  createModel(sessionId: string, { baseModel, lora }: { baseModel: string; lora: SeededLora | null }) {
    this.beat(sessionId);
    const { modelName, maxModels, modelDir } = this.settings;
    if (this.models.size >= maxModels)
      throw new Refusal(429, `this server trains at most ${maxModels} models at once (--max-models)`);
    const modelId = newId('model');
    const engine =
      baseModel === modelName
        ? openEngine(this.settings, modelDir, lora)
        : Promise.reject(
            new Refusal(400, `Engine is configured for '${modelName}' but request specified '${baseModel}'`),
          );
    engine.catch(() => this.models.delete(modelId));
    const model = new ServedModel(modelId, sessionId, engine, lora);
    this.models.set(modelId, model);
    const requestId = this.futures.submit(
      engine.then(async () => {
        await this.checkpoints.addRun(modelId, { baseModel, created: model.created, lora });
        return { kind: 'plain', value: { model_id: modelId, base_model: baseModel, type: 'create_model' } };
      }),
    );
    return { modelId, requestId };
  }

  /** Refuses with 404 a model that is not under training here. */
  model(modelId: string): ServedModel {
    const model = this.models.get(modelId);
    if (!model) throw new Refusal(404, 'Model not found');
    this.beat(model.sessionId);
    return model;
  }

  /**
   * Takes an operation on a model and gives the id of its result; a repetition gets the first one's. `check` refuses what
   * must not begin, and is asked of a new operation only.
   */
  submit(
    body: Operation,
    operation: (engine: OnnxEngine, model: ServedModel) => Promise<Result>,
    check?: (model: ServedModel) => Promise<void> | void,
  ): Promise<string> {
    const model = this.model(body.model_id);
    return model.accept(body, async () => {
      await check?.(model);
      return this.futures.submit(model.run((engine) => operation(engine, model)));
    });
  }

  async unload(modelId: string): Promise<void> {
    const model = this.models.get(modelId);
    this.models.delete(modelId);
    for (const sampler of this.samplersOf(modelId)) await this.drop(sampler);
    await model?.unload();
  }

  /** A sampling session of a policy in a model's engine. */
  addModelSampler(model: ServedModel, client: SamplingClient, engine: OnnxEngine): string {
    const older = this.samplersOf(model.id);
    for (const sampler of older.slice(0, Math.max(0, older.length + 1 - SAMPLERS_KEPT_OF_A_MODEL)))
      void this.drop(sampler);
    const { stopTokens } = engine;
    return this.addSampler(
      { sessionId: model.sessionId, modelId: model.id, path: null },
      heldSource(Promise.resolve(openSampler({ client, stopTokens }))),
    );
  }

  /** A sampling session of the base model. */
  addBaseSampler(sessionId: string | null): string {
    const { training, stopTokens } = this.base;
    const opening = training.saveWeightsForSampler().then((client) => openSampler({ client, stopTokens }));
    return this.addSampler({ sessionId, modelId: null, path: null }, heldSource(opening));
  }

  /** A sampling session of a checkpoint. Refuses with 429 where as many others are in use as may be. */
  addCheckpointSampler(sessionId: string | null, place: CheckpointPlace): string {
    const path = this.checkpoints.pathOf(place);
    const source = this.checkpointSamplers.source(path);
    // It is opened ahead of the first request, and a session that there is no room for is not begun.
    const { opened, release } = source.lease();
    opened.then(release, release);
    return this.addSampler({ sessionId, modelId: null, path }, source);
  }

  /** Refuses with 404 a sampling session that is unknown or was dropped. */
  sampler(id: string): ServedSampler {
    const sampler = this.samplers.get(id);
    if (!sampler)
      throw new Refusal(
        404,
        `Sampling session '${id}' not found: the newest ${SAMPLERS_KEPT_OF_A_MODEL} of a model are kept, as long as their session lives`,
      );
    if (sampler.origin.sessionId !== null) this.beat(sampler.origin.sessionId);
    return sampler;
  }

  /** The sampling session without owner of a base model or a checkpoint, opened when it is first asked for. */
  async sharedSampler(modelPath: string | null): Promise<ServedSampler> {
    const place = modelPath === null ? null : await this.checkpoints.find(modelPath);
    const path = place && this.checkpoints.pathOf(place);
    const known = [...this.samplers.values()].find(
      ({ origin }) => origin.sessionId === null && origin.path === path,
    );
    if (known) return known;
    return this.sampler(place ? this.addCheckpointSampler(null, place) : this.addBaseSampler(null));
  }

  /** Ends every engine; safe to call twice. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const id of [...this.models.keys()]) await this.unload(id);
    for (const sampler of [...this.samplers.values()]) await this.drop(sampler);
    await this.base.close();
  }

  private addSampler(origin: SamplerOrigin, source: SamplerSource): string {
    const id = newId('sampling');
    this.samplers.set(id, new ServedSampler(id, origin, source));
    return id;
  }

  private samplersOf(modelId: string): ServedSampler[] {
    return [...this.samplers.values()].filter(({ origin }) => origin.modelId === modelId);
  }

  private async drop(sampler: ServedSampler): Promise<void> {
    this.samplers.delete(sampler.id);
    const { path } = sampler.origin;
    const isShared = path !== null && [...this.samplers.values()].some(({ origin }) => origin.path === path);
    if (!isShared) await sampler.close();
  }

  /** Ends sessions that fell silent, with what they own. */
  private sweep(): void {
    this.futures.sweep();
    const since = this.now() - this.settings.sessionTimeoutMs;
    for (const [id, { heardAt }] of this.sessions) {
      if (heardAt >= since) continue;
      this.sessions.delete(id);
      for (const model of this.models.values()) if (model.sessionId === id) void this.unload(model.id);
      for (const sampler of this.samplers.values())
        if (sampler.origin.sessionId === id) void this.drop(sampler);
    }
  }
}

function openEngine(
  { modelName, children, microBatchTokens }: ServeSettings,
  modelDir: string,
  lora: SeededLora | null = null,
): Promise<OnnxEngine> {
  return createOnnxEngine({ modelDir, modelName, children, microBatchTokens, lora });
}

function newId(kind: 'session' | 'model' | 'sampling'): string {
  return `${kind}_${randomBytes(4).toString('hex')}`;
}
