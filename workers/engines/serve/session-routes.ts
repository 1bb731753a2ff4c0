import { z } from 'zod';
import {
  CreateModelRequest,
  CreateSessionRequest,
  ModelRequest,
  RetrieveFutureRequest,
  SessionHeartbeatRequest,
} from '../tinker/wire';
import type { Api } from './api';
import type { EngineServer } from './engine-server';
import { binaryForm } from './futures';
import { describeLora, requestedLora } from './requested-lora';

/** Longer than most results take, shorter than proxies hold a silent connection. */
const HOLD_MS = 40_000;
const PROTOBUF = 'application/x-protobuf';

/** What the server is, sessions, models and results. */
export function addSessionRoutes(api: Api, server: EngineServer): void {
  const { settings, base } = server;
  api.get('/healthz', 'Whether the server answers', () => ({ status: 'ok' }));
  api.post('/client/config', { summary: 'What the server asks of clients', body: z.looseObject({}) }, () => ({
    pjwt_auth_enabled: false,
    server: 'stepscope',
  }));
  api.get('/get_server_capabilities', 'Models that can be trained and sampled', () => ({
    supported_models: [
      {
        model_name: settings.modelName,
        max_context_length: base.contextTokens,
        lanes: settings.children,
      },
    ],
  }));
  api.post('/telemetry', { summary: 'Taken and thrown away', body: z.looseObject({}) }, () => ({
    status: 'accepted',
  }));
  api.post('/create_session', { summary: 'Begins a session', body: CreateSessionRequest }, () => ({
    type: 'create_session',
    session_id: server.createSession(),
    info_message: null,
    warning_message: null,
    error_message: null,
  }));
  api.post('/session_heartbeat', { summary: 'Keeps a session', body: SessionHeartbeatRequest }, (body) => {
    server.beat(body.session_id);
    return { type: 'session_heartbeat' };
  });
  addModelRoutes(api, server);
  api.post(
    '/retrieve_future',
    { summary: 'Waits for a result', body: RetrieveFutureRequest },
    async (body, context) => {
      const result = await server.futures.retrieve(body.request_id, HOLD_MS);
      const bytes = context.req.header('accept')?.includes(PROTOBUF) ? binaryForm(result) : null;
      if (!bytes) return result.value;
      return context.body(new Uint8Array(bytes), 200, { 'Content-Type': PROTOBUF });
    },
  );
}

function addModelRoutes(api: Api, server: EngineServer): void {
  const { settings } = server;
  api.post(
    '/create_model',
    { summary: 'Begins the training of a model', body: CreateModelRequest },
    (body) => {
      const { modelId, requestId } = server.createModel(body.session_id, {
        baseModel: body.base_model,
        lora: requestedLora(body.lora_config, settings.maxLoraRank),
      });
      return { model_id: modelId, base_model: body.base_model, status: 'created', request_id: requestId };
    },
  );
  api.post('/get_info', { summary: 'A model under training', body: ModelRequest }, async (body) => {
    const model = server.model(body.model_id);
    return {
      type: 'get_info',
      model_id: model.id,
      status: 'created',
      ...describeLora(model.lora),
      model_data: {
        base_model: settings.modelName,
        model_name: settings.modelName,
        tokenizer_id: settings.modelName,
        parameters: await model.parameters(),
      },
    };
  });
  api.post(
    '/unload_model',
    { summary: 'Ends the training of a model', body: ModelRequest },
    ({ model_id: id }) => {
      server.model(id);
      const value = { model_id: id, status: 'unloaded', type: 'unload_model' };
      return {
        model_id: id,
        request_id: server.futures.submit(server.unload(id).then(() => ({ kind: 'plain', value }))),
      };
    },
  );
}
