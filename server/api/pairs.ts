import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import {
  PairQuery,
  ProbeShiftQuery,
  TrajectoryPairQuery,
  type Pair,
  type ProbeShift,
  type SameTaskPage,
} from '@/contract/pair';
import { probeShift } from '../pairs/probe-shift';
import { requirePair, requireTrajectoryPair, sameTask } from '../pairs/queries';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid, RunIdParam } from './answers';

const pairRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/pair',
  request: { params: RunIdParam, query: PairQuery },
  responses: answers<Pair>('One probe task at two steps'),
});
const trajectoryPairRoute = createRoute({
  method: 'get',
  path: '/pair',
  request: { query: TrajectoryPairQuery },
  responses: answers<Pair>('Two trajectories of one task'),
});
const sameTaskRoute = createRoute({
  method: 'get',
  path: '/trajectories/{trajectoryId}/same-task',
  request: { params: z.object({ trajectoryId: z.string().min(1).max(100) }) },
  responses: answers<SameTaskPage>('Trajectories of the same task, of all runs'),
});
const shiftRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/probe/shift',
  request: { params: RunIdParam, query: ProbeShiftQuery },
  responses: answers<ProbeShift>('Every task of the probe at two steps'),
});

/** Trajectories laid side by side. */
export function pairRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(pairRoute, async (context) => {
    const { runId } = context.req.valid('param');
    return context.json(await requirePair(database, runId, context.req.valid('query')), 200);
  });
  app.openapi(trajectoryPairRoute, async (context) =>
    context.json(await requireTrajectoryPair(database, context.req.valid('query')), 200),
  );
  app.openapi(sameTaskRoute, async (context) =>
    context.json(await sameTask(database, context.req.valid('param').trajectoryId), 200),
  );
  app.openapi(shiftRoute, async (context) => {
    const { runId } = context.req.valid('param');
    return context.json(await probeShift(database, runId, context.req.valid('query')), 200);
  });
  return app;
}
