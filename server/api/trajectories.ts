import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import {
  TrajectoriesQuery,
  TrajectorySelection,
  type TrajectoriesPage,
  type TrajectoriesSummary,
  type TrajectoryFilterValues,
} from '@/contract/trajectory-list';
import { requirePosition } from '../runs/queries';
import type { Runtime } from '../runtime';
import { listTrajectories } from '../trajectories/list';
import { summarizeTrajectories, trajectoryFilterValues } from '../trajectories/list-summary';
import { answers, refuseInvalid, RunIdParam } from './answers';

const PAGE = answers<TrajectoriesPage>('Trajectories that match, a page of them');
const SUMMARY = answers<TrajectoriesSummary>('How many trajectories match');
const FILTERS = answers<TrajectoryFilterValues>('What the filters can be set to');

const listAllRoute = createRoute({
  method: 'get',
  path: '/trajectories',
  request: { query: TrajectoriesQuery },
  responses: PAGE,
});
const summarizeAllRoute = createRoute({
  method: 'get',
  path: '/trajectories/summary',
  request: { query: TrajectorySelection },
  responses: SUMMARY,
});
const filtersOfAllRoute = createRoute({ method: 'get', path: '/trajectories/filters', responses: FILTERS });
const listRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/trajectories',
  request: { params: RunIdParam, query: TrajectoriesQuery },
  responses: PAGE,
});
const summarizeRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/trajectories/summary',
  request: { params: RunIdParam, query: TrajectorySelection },
  responses: SUMMARY,
});
const filtersRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/trajectories/filters',
  request: { params: RunIdParam },
  responses: FILTERS,
});

/** Lists of trajectories, of one run and of all, filtered and searched. Before the routes of a single one. */
export function trajectoryListRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(listAllRoute, async (context) =>
    context.json(await listTrajectories(database, null, context.req.valid('query')), 200),
  );
  app.openapi(summarizeAllRoute, async (context) =>
    context.json(await summarizeTrajectories(database, null, context.req.valid('query')), 200),
  );
  app.openapi(filtersOfAllRoute, async (context) =>
    context.json(await trajectoryFilterValues(database, null), 200),
  );
  app.openapi(listRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listTrajectories(database, runId, context.req.valid('query')), 200);
  });
  app.openapi(summarizeRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await summarizeTrajectories(database, runId, context.req.valid('query')), 200);
  });
  app.openapi(filtersRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await trajectoryFilterValues(database, runId), 200);
  });
  return app;
}
