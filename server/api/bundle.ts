import { Readable } from 'node:stream';
import { OpenAPIHono } from '@hono/zod-openapi';
import { runBundle } from '../bundle/run-bundle';
import type { Runtime } from '../runtime';
import { refuseInvalid, RunIdParam } from './answers';
import { parseOrThrow } from '@/contract/parse';

/** The archive of what a run needs to be run again. */
export function bundleRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.get('/runs/:runId/bundle', async (context) => {
    const { runId } = parseOrThrow(RunIdParam, context.req.param(), 'param');
    const archive = await runBundle(database, runId);
    return new Response(Readable.toWeb(archive) as ReadableStream, {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${runId}.zip"`,
      },
    });
  });
  return app;
}
