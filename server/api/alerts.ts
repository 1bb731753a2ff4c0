import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import {
  AlertChange,
  MetricMarkName,
  MetricMarkRequest,
  OpenAlertsQuery,
  type Alert,
  type MetricMark,
  type RunAlerts,
} from '@/contract/alert';
import { FailureClustersQuery, type StepFailures } from '@/contract/failure-cluster';
import { parseOrThrow } from '@/contract/parse';
import { listFailureClusters } from '../analysis/failure-clusters';
import { listMetricMarks, markMetric, unmarkMetric } from '../analysis/metric-marks';
import { acknowledgeAlert, listAlerts, listOpenAlerts } from '../analysis/queries';
import { requirePosition } from '../runs/queries';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid, RunIdParam } from './answers';
import { readJsonBody } from './json-body';

const AlertIdParam = z.object({ alertId: z.string().min(1).max(20) });
/** A parameter given once reads as text, given more often as a list. */
const OpenAlertsParams = OpenAlertsQuery.extend({
  run: z.preprocess((run) => (typeof run === 'string' ? [run] : run), OpenAlertsQuery.shape.run),
});

const alertsRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/alerts',
  request: { params: RunIdParam },
  responses: answers<RunAlerts>('What the detectors found in a run, and what they read'),
});
const openAlertsRoute = createRoute({
  method: 'get',
  path: '/alerts',
  request: { query: OpenAlertsParams },
  responses: answers<Alert[]>('Alerts of some runs that nobody has acknowledged'),
});
const clustersRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/failure-clusters',
  request: { params: RunIdParam, query: FailureClustersQuery },
  responses: answers<StepFailures[]>('Lost trajectories by first bad turn and mode, per step'),
});
const marksRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/metric-marks',
  request: { params: RunIdParam },
  responses: answers<MetricMark[]>('Metrics of a run that are marked meaningless'),
});
const unmarkRoute = createRoute({
  method: 'delete',
  path: '/runs/{runId}/metric-marks',
  request: { params: RunIdParam, query: MetricMarkName },
  responses: answers<MetricMark[]>('The marks that are left'),
});

/** What the detectors found, what a person made of it, and how trajectories went wrong. */
export function alertRoutes(runtime: Runtime): OpenAPIHono {
  const { database } = runtime;
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(alertsRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listAlerts(database, runId), 200);
  });
  app.openapi(openAlertsRoute, async (context) =>
    context.json(await listOpenAlerts(database, context.req.valid('query').run), 200),
  );
  app.openapi(clustersRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listFailureClusters(database, runId, context.req.valid('query')), 200);
  });
  app.openapi(marksRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listMetricMarks(database, runId), 200);
  });
  app.openapi(unmarkRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    await unmarkMetric(database, runId, context.req.valid('query').name);
    return context.json(await listMetricMarks(database, runId), 200);
  });
  addAcknowledge(app, runtime);
  addMark(app, runtime);
  return app;
}

/** Bodies are read by hand, so that one which does not call itself JSON is refused. */
function addAcknowledge(app: OpenAPIHono, { database, publisher }: Runtime): void {
  app.openAPIRegistry.registerPath({
    method: 'patch',
    path: '/alerts/{alertId}',
    request: {
      params: AlertIdParam,
      body: { content: { 'application/json': { schema: AlertChange } }, required: true },
    },
    responses: answers<Alert>('The alert, taken note of or not'),
  });
  app.patch('/alerts/:alertId', async (context) => {
    const { alertId } = parseOrThrow(AlertIdParam, context.req.param(), 'address');
    const { acknowledged } = parseOrThrow(AlertChange, await readJsonBody(context), 'body');
    const alert = await acknowledgeAlert(database, alertId, acknowledged);
    publisher.analysed(alert.runId, true);
    return context.json(alert, 200);
  });
}

function addMark(app: OpenAPIHono, { database }: Runtime): void {
  app.openAPIRegistry.registerPath({
    method: 'put',
    path: '/runs/{runId}/metric-marks',
    request: {
      params: RunIdParam,
      body: { content: { 'application/json': { schema: MetricMarkRequest } }, required: true },
    },
    responses: answers<MetricMark[]>('The marks of the run'),
  });
  app.put('/runs/:runId/metric-marks', async (context) => {
    const { runId } = parseOrThrow(RunIdParam, context.req.param(), 'address');
    const mark = parseOrThrow(MetricMarkRequest, await readJsonBody(context), 'body');
    await requirePosition(database, runId);
    await markMetric(database, runId, mark);
    return context.json(await listMetricMarks(database, runId), 200);
  });
}
