import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { SeededLora } from '@/contract/lora';
import type { ChatVariables } from '../onnx/tokenizer/hugging-face-tokenizer';
import { TinkerConnection, type TinkerConnectionOptions } from './connection';
import { exchangeKey, readClientConfig } from './credentials';
import { readModelFolder } from './model-folder';
import type { Codec } from './model-passes';
import { chooseProfile, type ProfileId, type TinkerProfile } from './profile';
import { samplingGates, TinkerSamplingClient, type SamplingParts } from './sampling-client';
import { TinkerSession } from './session';
import { TinkerTrainingClient } from './training-client';
import { CapabilitiesAnswer, CreateSamplingSessionAnswer, GetInfoAnswer } from './wire';

export interface TinkerEngineOptions extends TinkerConnectionOptions {
  /** The base model, by the name the server has for it. */
  model: string;
  /** Folder with the model's text files in a folder of its name. */
  tokenizersDir: string;
  profile?: ProfileId | 'auto';
  /** Adapters that are trained; null for the worker's own rank. */
  lora?: SeededLora | null;
  /** Rank where `lora` says nothing, 0 = all parameters; null for the profile's. */
  loraRank?: number | null;
  codec?: Codec;
  chatVariables?: ChatVariables;
  heartbeatMs?: number;
  /** Aborted, with the reason, when the server is known to have ended: everything then fails with that. */
  signal?: AbortSignal;
}

/** An engine on a server, whose dialect is known. */
export interface TinkerEngine extends Engine {
  readonly profile: TinkerProfile;
}

/**
 * Opens an engine on a server of the Tinker protocol and creates a model there. Throws where the model's text files are
 * missing, the server is away for longer than patience, refuses, or lacks the model.
 */
export async function createTinkerEngine(options: TinkerEngineOptions): Promise<TinkerEngine> {
  const { model, tokenizersDir, codec = 'json', heartbeatMs } = options;
  const { tokenizer, stopTokens } = await readModelFolder(tokenizersDir, model, options.chatVariables);
  const connection = new TinkerConnection(options);
  const { signal } = options;
  // The first reason that a connection is closed for stays, so a later end of the server changes nothing.
  if (signal?.aborted) connection.close(endOf(signal));
  signal?.addEventListener('abort', () => connection.close(endOf(signal)), { once: true });
  let session: TinkerSession | null = null;
  try {
    const config = await readClientConfig(connection);
    const { address } = connection;
    const profile = chooseProfile(options.profile ?? 'auto', { address, server: config.server });
    if (config.pjwt_auth_enabled) await exchangeKey(connection);
    const { lanes, contextTokens } = await servedModel(connection, model, profile);
    session = await TinkerSession.open(connection, heartbeatMs);
    const parts: SamplingParts = { connection, profile, codec, lanes, ...samplingGates(connection) };
    const training = await TinkerTrainingClient.create({
      connection,
      session,
      profile,
      codec,
      baseModel: model,
      lora: options.lora ?? { rank: options.loraRank ?? profile.loraRank },
      openSampler: (id) => new TinkerSamplingClient(parts, () => Promise.resolve(id)),
    });
    const parameters = await parametersOf(connection, training.modelId);
    return {
      kind: 'tinker',
      profile,
      tokenizer,
      stopTokens,
      contextTokens,
      parameters,
      training,
      base: baseSampler(parts, session, model),
      close: closer(connection, session, training),
    };
  } catch (error) {
    session?.close();
    connection.close();
    throw error;
  }
}

function endOf(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError
    ? signal.reason
    : new AppError('unavailable', 'the server has ended');
}

/** What the server says of the model. Throws where it lacks it. */
async function servedModel(
  connection: TinkerConnection,
  model: string,
  profile: TinkerProfile,
): Promise<{ lanes: number; contextTokens: number }> {
  const { supported_models: models } = await connection.request(CapabilitiesAnswer, {
    method: 'GET',
    route: 'get_server_capabilities',
  });
  const served = models.find(({ model_name: name }) => name === model);
  if (served)
    return { lanes: served.lanes ?? profile.lanes, contextTokens: served.max_context_length ?? Infinity };
  throw new AppError(
    'invalid_input',
    `${connection.address} has no model "${model}", it has: ${models.map(({ model_name: name }) => name).join(', ')}`,
  );
}

/** Trainable parameters, or NaN where the server does not say. */
async function parametersOf(connection: TinkerConnection, modelId: string): Promise<number> {
  const { model_data: data } = await connection.request(GetInfoAnswer, {
    route: 'get_info',
    body: { model_id: modelId, type: 'get_info' },
  });
  return data.parameters ?? NaN;
}

/** The base model; its sampling session is opened when the first request needs it. */
function baseSampler(parts: SamplingParts, session: TinkerSession, model: string): TinkerSamplingClient {
  return new TinkerSamplingClient(parts, async () => {
    const answer = await parts.connection.request(CreateSamplingSessionAnswer, {
      route: 'create_sampling_session',
      body: {
        type: 'create_sampling_session',
        session_id: session.id,
        sampling_session_seq_id: session.nextSampler(),
        base_model: model,
      },
    });
    return answer.sampling_session_id;
  });
}

function closer(
  connection: TinkerConnection,
  session: TinkerSession,
  training: TinkerTrainingClient,
): () => Promise<void> {
  let closing: Promise<void> | null = null;
  return () => {
    closing ??= (async () => {
      session.close();
      await training.unload();
      connection.close();
    })();
    return closing;
  };
}
