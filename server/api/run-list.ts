import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { RunSelection, RunsQuery, type ListedRun, type RunsSummary } from '@/contract/run-list';
import { listRuns, summarizeRuns } from '../runs/list';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid } from './answers';

/** A parameter given once reads as text, given more often as a list. */
const RunsParams = RunsQuery.extend({
  id: z.preprocess((id) => (typeof id === 'string' ? [id] : id), RunsQuery.shape.id),
});

const listRoute = createRoute({
  method: 'get',
  path: '/runs',
  request: { query: RunsParams },
  responses: answers<ListedRun[]>('Runs that match, a page of them'),
});
const summaryRoute = createRoute({
  method: 'get',
  path: '/runs/summary',
  request: { query: RunSelection },
  responses: answers<RunsSummary>('How many runs match, and what they can be filtered by'),
});

/** The list of runs. Before the routes of a single one. */
export function runListRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(listRoute, async (context) =>
    context.json(await listRuns(database, context.req.valid('query')), 200),
  );
  app.openapi(summaryRoute, async (context) =>
    context.json(await summarizeRuns(database, context.req.valid('query')), 200),
  );
  return app;
}
