import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { LaunchedRun } from '@/contract/api';
import { parseOrThrow } from '@/contract/parse';
import {
  EvaluationRequest,
  type EvaluationUnits,
  type RequestedEvaluation,
} from '@/contract/requested-evaluation';
import { requestEvaluation } from '../evaluations/request-evaluation';
import { listRequestedEvaluations, requireEvaluationUnits } from '../evaluations/requested';
import { requirePosition } from '../runs/queries';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid, RunIdParam } from './answers';
import { readJsonBody } from './json-body';

const requestedRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/requested-evaluations',
  request: { params: RunIdParam },
  responses: answers<RequestedEvaluation[]>('Runs that evaluate checkpoints of a run'),
});
const unitsRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/evaluation-units',
  request: { params: RunIdParam },
  responses: answers<EvaluationUnits>('What a run that evaluates checkpoints has come to'),
});

/** Evaluations of checkpoints that are asked for, and how far they have come. */
export function evaluationRoutes({ database, publisher }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(requestedRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listRequestedEvaluations(database, runId), 200);
  });
  app.openapi(unitsRoute, async (context) =>
    context.json(await requireEvaluationUnits(database, context.req.valid('param').runId), 200),
  );
  // The body is read by hand, so that one which does not call itself JSON is refused.
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/runs/{runId}/evaluations',
    request: {
      params: RunIdParam,
      body: { content: { 'application/json': { schema: EvaluationRequest } }, required: true },
    },
    responses: { 201: answers<LaunchedRun>('The id of the queued run that evaluates')[200] },
  });
  app.post('/runs/:runId/evaluations', async (context) => {
    const { runId } = parseOrThrow(RunIdParam, context.req.param(), 'address');
    const launched: LaunchedRun = await requestEvaluation(database, runId, await readJsonBody(context));
    publisher.workAvailable(launched.runId);
    return context.json(launched, 201);
  });
  return app;
}
