import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { CapabilityRow } from '@/contract/capability';
import type { ImportRow } from '@/contract/imports';
import { listCapabilities } from '../capabilities/queries';
import { listImports } from '../importers/queries';
import { requirePosition } from '../runs/queries';
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

/** What came from other tools: logs, and scores of general capability. */
export function importRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(importsRoute, async (context) => context.json(await listImports(database), 200));
  app.openapi(capabilitiesRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listCapabilities(database, runId), 200);
  });
  return app;
}
