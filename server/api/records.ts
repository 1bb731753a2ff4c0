import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { CheckpointRow, EvaluationRow, ProbeIndex, TrajectoryDetail } from '@/contract/api';
import { QueryInteger } from '@/contract/bounds';
import type { Turn } from '@/contract/trajectory';
import { TrajectoryParameters } from '@/contract/trajectory-cut';
import { listCheckpoints } from '../checkpoints/queries';
import { listEvaluations } from '../evaluations/queries';
import { requirePosition } from '../runs/queries';
import type { Runtime } from '../runtime';
import { probeIndex, requireTrajectory, requireTurn } from '../trajectories/queries';
import { answers, refuseInvalid, RunIdParam } from './answers';

const TrajectoryIdParam = z.object({ trajectoryId: z.string().min(1).max(100) });

const trajectoryRoute = createRoute({
  method: 'get',
  path: '/trajectories/{trajectoryId}',
  request: { params: TrajectoryIdParam, query: TrajectoryParameters },
  responses: answers<TrajectoryDetail>('A trajectory with its turns'),
});
const turnRoute = createRoute({
  method: 'get',
  path: '/trajectories/{trajectoryId}/turns/{index}',
  request: { params: TrajectoryIdParam.extend({ index: QueryInteger }) },
  responses: answers<Turn>('A turn, whole'),
});
const probeRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/probe',
  request: { params: RunIdParam },
  responses: answers<ProbeIndex>('Tasks and steps that can be laid side by side'),
});
const evaluationsRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/evaluations',
  request: { params: RunIdParam },
  responses: answers<EvaluationRow[]>('Evaluations of a run, controls among them'),
});
const checkpointsRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/checkpoints',
  request: { params: RunIdParam },
  responses: answers<CheckpointRow[]>('Checkpoints of a run'),
});

/** What a run left: each trajectory, pairs, evaluations, checkpoints. */
export function recordRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(trajectoryRoute, async (context) => {
    const { trajectoryId } = context.req.valid('param');
    const mayCut = context.req.valid('query').cut === 'true';
    return context.json(await requireTrajectory(database, trajectoryId, mayCut), 200);
  });
  app.openapi(turnRoute, async (context) => {
    const { trajectoryId, index } = context.req.valid('param');
    return context.json(await requireTurn(database, trajectoryId, index), 200);
  });
  app.openapi(probeRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await probeIndex(database, runId), 200);
  });
  app.openapi(evaluationsRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listEvaluations(database, runId), 200);
  });
  app.openapi(checkpointsRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listCheckpoints(database, runId), 200);
  });
  return app;
}
