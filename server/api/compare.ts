import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { ComparableQuery, ComparisonQuery, type ComparableRun, type Comparison } from '@/contract/compare';
import { listComparable, readComparison } from '../compare/queries';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid } from './answers';

const comparisonRoute = createRoute({
  method: 'get',
  path: '/compare',
  request: { query: ComparisonQuery },
  responses: answers<Comparison>('Checkpoints with their evaluations, trajectory by trajectory'),
});
const comparableRoute = createRoute({
  method: 'get',
  path: '/compare/checkpoints',
  request: { query: ComparableQuery },
  responses: answers<ComparableRun[]>('Runs with evaluated checkpoints'),
});

/** What checkpoints are compared by. */
export function compareRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(comparisonRoute, async (context) =>
    context.json(await readComparison(database, context.req.valid('query').c), 200),
  );
  app.openapi(comparableRoute, async (context) =>
    context.json(await listComparable(database, context.req.valid('query')), 200),
  );
  return app;
}
