import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { z } from 'zod';
import { WeightsInfoRequest } from '../tinker/wire';
import type { Api } from './api';
import { tarBytes } from './archive';
import type { CheckpointKind, CheckpointPlace, TrainingRun } from './checkpoint-folder';
import type { EngineServer } from './engine-server';
import { Refusal } from './refusal';
import { describeLora, trainedFlags } from './requested-lora';

const Page = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(20),
  offset: z.coerce.number().int().min(0).default(0),
});

/** Training runs and their checkpoints on this machine, also those of models that are gone. */
export function addCheckpointRoutes(api: Api, server: EngineServer): void {
  const { checkpoints, settings } = server;
  api.post(
    '/weights_info',
    { summary: 'What a checkpoint is of', body: WeightsInfoRequest },
    async (body) => {
      const { modelId } = await checkpoints.find(body.tinker_path);
      const run = await checkpoints.findRun(modelId);
      const lora = run?.lora ?? null;
      return {
        base_model: run?.base_model ?? settings.modelName,
        ...describeLora(lora),
        ...trainedFlags(lora),
      };
    },
  );
  api.get('/training_runs', 'Models that were trained here', async (context) => {
    const page = Page.safeParse(context.req.query());
    if (!page.success)
      throw new Refusal(422, `limit and offset: ${page.error.issues[0]?.message ?? 'wrong'}`);
    const { limit, offset } = page.data;
    const runs = await checkpoints.runs();
    return {
      training_runs: await Promise.all(
        runs.slice(offset, offset + limit).map((run) => describeRun(server, run)),
      ),
      cursor: { offset, limit, total_count: runs.length },
    };
  });
  api.get('/training_runs/{run_id}', 'A model that was trained here', async (context) =>
    describeRun(server, await requireRun(server, context)),
  );
  for (const path of ['/training_runs/{run_id}/checkpoints', '/models/{run_id}/checkpoints'])
    api.get(path, 'Checkpoints of a model', async (context) => ({
      checkpoints: await checkpoints.list((await requireRun(server, context)).training_run_id),
    }));
  addFileRoutes(api, server);
}

function addFileRoutes(api: Api, server: EngineServer): void {
  const { checkpoints } = server;
  const one = '/training_runs/{run_id}/checkpoints/{checkpoint_id}';
  api.get(`${one}/archive`, 'Where a checkpoint can be downloaded', async (context) => {
    await requirePlace(server, context);
    return context.redirect(context.req.url.replace(/\/archive(\?|$)/, '/download$1'), 302);
  });
  api.get(`${one}/download`, 'A checkpoint as a gzipped tar archive', async (context) => {
    const place = await requirePlace(server, context);
    const files = (await checkpoints.files(place)).map((file) => ({
      ...file,
      content: () => checkpoints.read(place, file.name),
    }));
    const zipped = Readable.from(tarBytes(files)).pipe(createGzip({ level: 1 }));
    return context.body(Readable.toWeb(zipped) as ReadableStream<Uint8Array>, 200, {
      'Content-Type': 'application/gzip',
      'Content-Disposition': `attachment; filename="${place.name}.tar.gz"`,
    });
  });
  api.delete('/training_runs/{run_id}/checkpoints/{kind}/{name}', 'Deletes a checkpoint', async (context) => {
    const { kind = '', name = '' } = context.req.param();
    if (kind !== 'weights' && kind !== 'sampler_weights')
      throw new Refusal(400, `expected checkpoints/weights/${name} or checkpoints/sampler_weights/${name}`);
    const { training_run_id: modelId } = await requireRun(server, context);
    await checkpoints.remove(await checkpoints.find(`tinker://${modelId}/${kind}/${name}`));
    return context.body(null, 204);
  });
  api.delete(one, 'Refused: a checkpoint is deleted by its kind and name', () => {
    throw new Refusal(400, 'expected checkpoints/weights/<name> or checkpoints/sampler_weights/<name>');
  });
}

async function requireRun({ checkpoints }: EngineServer, context: Context): Promise<TrainingRun> {
  const id = context.req.param('run_id') ?? '';
  const run = await checkpoints.findRun(id);
  if (!run) throw new Refusal(404, `Training run ${id} not found`);
  return run;
}

/** The checkpoint of that name; `?checkpoint_type` tells a sampler's from the training's where both have it. */
async function requirePlace(server: EngineServer, context: Context): Promise<CheckpointPlace> {
  const { training_run_id: modelId } = await requireRun(server, context);
  const name = context.req.param('checkpoint_id') ?? '';
  const asked = context.req.query('checkpoint_type');
  const kinds: CheckpointKind[] =
    asked === 'training' ? ['training'] : asked === 'sampler' ? ['sampler'] : ['sampler', 'training'];
  const listed = await server.checkpoints.list(modelId);
  for (const kind of kinds)
    if (listed.some((entry) => entry.checkpoint_id === name && entry.checkpoint_type === kind))
      return { modelId, kind, name };
  throw new Refusal(404, `Checkpoint ${name} of ${modelId} not found`);
}

async function describeRun({ checkpoints }: EngineServer, run: TrainingRun): Promise<object> {
  const listed = await checkpoints.list(run.training_run_id);
  const newest = (kind: CheckpointKind) => listed.find((entry) => entry.checkpoint_type === kind) ?? null;
  return {
    training_run_id: run.training_run_id,
    base_model: run.base_model,
    model_owner: 'default',
    ...describeLora(run.lora),
    corrupted: false,
    last_request_time: listed[0]?.time ?? run.created,
    last_checkpoint: newest('training'),
    last_sampler_checkpoint: newest('sampler'),
    user_metadata: null,
  };
}
