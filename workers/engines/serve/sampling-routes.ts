import { CreateSamplingSessionRequest, WireSampleRequest } from '../tinker/wire';
import type { Api } from './api';
import type { EngineServer } from './engine-server';
import { Refusal } from './refusal';
import { checkSampleRequest, type ServedSampler } from './served-sampler';
import { pending } from './training-routes';

/** Policies and their samples. */
export function addSamplingRoutes(api: Api, server: EngineServer): void {
  api.post(
    '/create_sampling_session',
    { summary: 'Begins sampling from a base model or a checkpoint', body: CreateSamplingSessionRequest },
    async (body) => {
      server.beat(body.session_id);
      const { session_id: sessionId, base_model: baseModel, model_path: modelPath } = body;
      if (modelPath) {
        const place = await server.checkpoints.find(modelPath);
        return opened(server.addCheckpointSampler(sessionId, place));
      }
      requireBase(server, baseModel);
      return opened(server.addBaseSampler(sessionId));
    },
  );
  api.post('/asample', { summary: 'Samples replies to a prompt', body: WireSampleRequest }, async (body) => {
    checkSampleRequest(body);
    const sampler = await samplerOf(server, body);
    const answered = sampler.answer(body);
    return pending(server.futures.submit(answered.then((value) => ({ kind: 'sample', value }))));
  });
  api.get('/samplers/{sampler_id}', 'A sampling session', (context) => {
    const { id, origin } = server.sampler(context.req.param('sampler_id') ?? '');
    return { sampler_id: id, base_model: server.settings.modelName, model_path: origin.path };
  });
}

async function samplerOf(server: EngineServer, request: WireSampleRequest): Promise<ServedSampler> {
  if (request.sampling_session_id) return server.sampler(request.sampling_session_id);
  if (request.model_path) return server.sharedSampler(request.model_path);
  requireBase(server, request.base_model);
  return server.sharedSampler(null);
}

function requireBase({ settings: { modelName } }: EngineServer, asked: string | null | undefined): void {
  if (asked === modelName) return;
  throw new Refusal(
    400,
    asked
      ? `Engine is configured for '${modelName}' but request specified '${asked}'`
      : 'expected one of sampling_session_id, model_path and base_model',
  );
}

function opened(id: string): object {
  return { type: 'create_sampling_session', sampling_session_id: id };
}
