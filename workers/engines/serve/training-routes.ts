import type { Context } from 'hono';
import type { OnnxEngine } from '../onnx/onnx-engine';
import { decodeForwardBackwardRequest } from '../tinker/protobuf/forward-backward';
import {
  ForwardBackwardRequest,
  type ForwardBackwardInput,
  ForwardRequest,
  LoadWeightsRequest,
  OptimStepRequest,
  SaveForSamplerRequest,
  SaveWeightsRequest,
} from '../tinker/wire';
import { parseBody, readJson, type Api } from './api';
import type { CheckpointPlace } from './checkpoint-folder';
import type { EngineServer } from './engine-server';
import type { Result } from './futures';
import { Refusal } from './refusal';
import type { Operation, ServedModel } from './served-model';
import { forwardOf, toForwardBackwardAnswer, toTrainingCall } from './training-data';

/** Gradients, updates, and weights on their way to and from disk. */
export function addTrainingRoutes(api: Api, server: EngineServer): void {
  api.app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/v1/forward_backward',
    summary: 'Adds the gradient of data to a model',
    request: {
      body: {
        content: {
          'application/json': { schema: ForwardBackwardRequest },
          'application/x-protobuf': { schema: { type: 'string', format: 'binary' } },
        },
      },
    },
    responses: { 200: { description: 'The id of the result' } },
  });
  api.app.post('/api/v1/forward_backward', async (context) => {
    const { request, forwardOnly } = await readForwardBackward(context);
    return context.json(
      await (forwardOnly
        ? submitForward(server, request, request.forward_backward_input)
        : submitForwardBackward(server, request)),
    );
  });
  api.post('/forward', { summary: 'Log-probabilities of data', body: ForwardRequest }, (body) =>
    submitForward(server, body, body.forward_input),
  );
  api.post('/optim_step', { summary: 'One update by AdamW', body: OptimStepRequest }, async (body) => {
    const adam = body.adam_params;
    const requestId = await server.submit(body, async ({ training }) => {
      const { gradNorm, updates } = await training.optimStep({
        learningRate: adam.learning_rate,
        beta1: adam.beta1,
        beta2: adam.beta2,
        eps: adam.eps,
        weightDecay: adam.weight_decay,
        gradClipNorm: adam.grad_clip_norm,
      });
      const metrics = { 'stepscope/grad_norm': gradNorm, 'stepscope/updates': updates };
      return { kind: 'plain', value: { metrics } };
    });
    return pending(requestId);
  });
  addWeightRoutes(api, server);
}

function addWeightRoutes(api: Api, server: EngineServer): void {
  const { checkpoints } = server;
  api.post(
    '/save_weights',
    { summary: 'Saves weights and moments', body: SaveWeightsRequest },
    async (body) => {
      const place: CheckpointPlace = { modelId: body.model_id, kind: 'training', name: body.path };
      const save = async ({ training }: OnnxEngine): Promise<Result> => {
        await refuseTaken(server, place);
        await training.saveState(checkpoints.dirOf(place));
        return { kind: 'plain', value: { path: checkpoints.pathOf(place), type: 'save_weights' } };
      };
      return pending(await server.submit(body, save, () => refuseTaken(server, place)));
    },
  );
  api.post(
    '/load_weights',
    { summary: 'Loads saved weights into a fresh model', body: LoadWeightsRequest },
    async (body) => {
      const place = await checkpoints.find(body.path);
      const load = async ({ training }: OnnxEngine): Promise<Result> => {
        await checkpoints.withWeights(place, body, (dir) => training.loadState(dir));
        return { kind: 'plain', value: { type: 'load_weights' } };
      };
      const requestId = await server.submit(body, load, ({ isFresh }) => {
        if (!isFresh)
          throw new Refusal(400, `LoadWeights is not permitted with seq_id ${body.seq_id ?? 'none'}`);
      });
      return pending(requestId);
    },
  );
  api.post(
    '/save_weights_for_sampler',
    { summary: 'Makes the weights a policy to sample from', body: SaveForSamplerRequest },
    async (body) => {
      const { path: name } = body;
      if (!name)
        return pending(await server.submit(body, (engine, model) => keepInMemory(server, engine, model)));
      const place: CheckpointPlace = { modelId: body.model_id, kind: 'sampler', name };
      const save = (engine: OnnxEngine) => keepOnDisk(server, engine, place);
      return pending(await server.submit(body, save, () => refuseTaken(server, place)));
    },
  );
}

async function keepInMemory(server: EngineServer, engine: OnnxEngine, model: ServedModel): Promise<Result> {
  const sampler = await engine.training.saveWeightsForSampler();
  const id = server.addModelSampler(model, sampler, engine);
  return {
    kind: 'plain',
    value: { path: null, sampling_session_id: id, type: 'save_weights_for_sampler' },
  };
}

async function keepOnDisk(server: EngineServer, engine: OnnxEngine, place: CheckpointPlace): Promise<Result> {
  await refuseTaken(server, place);
  await server.checkpoints.addSampler(place, (dir) => engine.training.saveState(dir));
  return {
    kind: 'plain',
    value: {
      path: server.checkpoints.pathOf(place),
      sampling_session_id: null,
      type: 'save_weights_for_sampler',
    },
  };
}

/** Checkpoints are never overwritten. */
async function refuseTaken({ checkpoints }: EngineServer, place: CheckpointPlace): Promise<void> {
  if (await checkpoints.has(place))
    throw new Refusal(409, `Checkpoint '${place.name}' already exists for model '${place.modelId}'`);
}

async function readForwardBackward(
  context: Context,
): Promise<{ request: ForwardBackwardRequest; forwardOnly: boolean }> {
  if (!context.req.header('content-type')?.startsWith('application/x-protobuf'))
    return { request: await readJson(context, ForwardBackwardRequest), forwardOnly: false };
  if (context.req.header('content-encoding') !== undefined)
    throw new Refusal(400, `Content-Encoding is ${context.req.header('content-encoding')}, expected none`);
  const decoded = decodeForwardBackwardRequest(new Uint8Array(await context.req.arrayBuffer()));
  return { ...decoded, request: parseBody(ForwardBackwardRequest, decoded.request) };
}

async function submitForwardBackward(server: EngineServer, request: ForwardBackwardRequest): Promise<object> {
  const { data, lossFn, config } = toTrainingCall(request.forward_backward_input);
  return pending(
    await server.submit(request, async ({ training }) => ({
      kind: 'forward_backward',
      value: toForwardBackwardAnswer(await training.forwardBackward(data, lossFn, config)),
    })),
  );
}

async function submitForward(
  server: EngineServer,
  request: Operation,
  input: ForwardBackwardInput,
): Promise<object> {
  const call = toTrainingCall(input);
  return pending(
    await server.submit(request, async ({ training }) => ({
      kind: 'forward_backward',
      value: toForwardBackwardAnswer(await forwardOf(training, call)),
    })),
  );
}

/** The answer to a submission. */
export function pending(requestId: string): { future_id: string; status: string; request_id: string } {
  return { future_id: requestId, status: 'pending', request_id: requestId };
}
