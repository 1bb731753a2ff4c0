import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { Health, WorkerRow } from '@/contract/api';
import { PROTOCOL_VERSION } from '@/contract/version';
import { listWorkers } from '@/server/workers/registry';
import packageFile from '../../package.json';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid } from './answers';

const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  responses: answers<Health>('The server answers, and by which protocol'),
});
const workersRoute = createRoute({
  method: 'get',
  path: '/workers',
  responses: answers<WorkerRow[]>('Workers that have ever connected'),
});

/** The server itself and the workers it knows. */
export function serviceRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(healthRoute, (context) => {
    const health: Health = { status: 'ok', protocol: PROTOCOL_VERSION, version: packageFile.version };
    return context.json(health, 200);
  });
  app.openapi(workersRoute, async (context) => context.json(await listWorkers(database), 200));
  return app;
}
