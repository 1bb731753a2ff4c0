import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { lookupText, QueryInteger } from '@/contract/bounds';
import type { CapabilityRow } from '@/contract/capability';
import { AppError } from '@/contract/errors';
import { ImportFormatName, type ImportRow, type UploadedImport } from '@/contract/imports';
import { parseOrThrow } from '@/contract/parse';
import { SPLITS } from '@/contract/trajectory';
import { listCapabilities } from '../capabilities/queries';
import { listImports } from '../importers/queries';
import { importUpload } from '../importers/upload';
import { eventsAfter, requirePosition } from '../runs/queries';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid, RunIdParam } from './answers';

const importsRoute = createRoute({
  method: 'get',
  path: '/imports',
  responses: answers<ImportRow[]>('What was imported and refused, newest first'),
});
const capabilitiesRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/capabilities',
  request: { params: RunIdParam },
  responses: answers<CapabilityRow[]>('General capability of a run’s checkpoints and of their base'),
});

const UploadQuery = z.object({
  name: lookupText(200).min(1),
  format: ImportFormatName.optional(),
  step: QueryInteger.default(0),
  split: z.enum(SPLITS).default('valid_seen'),
  part: lookupText(100).optional(),
  base: z.enum(['true', 'false']).default('false'),
});

/** What came from other tools: logs, and scores of general capability. */
export function importRoutes(runtime: Runtime): OpenAPIHono {
  const { database } = runtime;
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(importsRoute, async (context) => context.json(await listImports(database), 200));
  addUpload(app, runtime);
  app.openapi(capabilitiesRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listCapabilities(database, runId), 200);
  });
  return app;
}

/**
 * The file is the body. A page of another site can send forms and plain text without asking first, so a body that is not called
 * a stream of bytes is refused.
 */
function addUpload(app: OpenAPIHono, { database, publisher }: Runtime): void {
  const path = '/imports';
  app.openAPIRegistry.registerPath({
    method: 'post',
    path,
    request: {
      query: UploadQuery,
      body: { content: { 'application/octet-stream': { schema: z.string() } }, required: true },
    },
    responses: answers<UploadedImport>('What was read of it, or why it was refused'),
  });
  app.post(path, async (context) => {
    if (!/^application\/octet-stream\b/i.test(context.req.header('content-type') ?? ''))
      throw new AppError('invalid_input', 'the Content-Type of a file is application/octet-stream');
    const {
      name,
      format = null,
      part = null,
      base,
      ...rest
    } = parseOrThrow(UploadQuery, context.req.query(), 'query');
    const body =
      context.req.raw.body ?? new ReadableStream<Uint8Array>({ start: (stream) => stream.close() });
    const { connectionString } = database.pool.options;
    if (connectionString === undefined) throw new AppError('internal', 'the database has no address');
    const options = { ...rest, format, part, checkpoint: null, isBase: base === 'true' };
    const outcome = await importUpload(connectionString, name, body, options);
    if (outcome.runId !== null) {
      const { position } = await requirePosition(database, outcome.runId);
      publisher.runEvents(outcome.runId, (await eventsAfter(database, outcome.runId, position - 1)).events);
    }
    const { state, runId, counts, skippedCount, refusal } = outcome;
    return context.json({ state, runId, counts, skippedCount, refusal } satisfies UploadedImport, 200);
  });
}
