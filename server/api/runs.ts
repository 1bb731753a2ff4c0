import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { ContinueRequest, SeriesQuery, SeriesSumsQuery } from '@/contract/api';
import { QueryInteger } from '@/contract/bounds';
import type { EventsPage, LaunchedRun, RunDetail, SeriesCurve, SeriesName, SeriesSum } from '@/contract/api';
import { parseOrThrow } from '@/contract/parse';
import { LaunchRequest, parseLaunch } from '@/contract/recipes/registry';
import { launchRun, requestStop } from '../runs/commands';
import { continueRun } from '../runs/continue-run';
import { eventsAfter, requirePosition, requireRun } from '../runs/queries';
import { listSeries, readSeries, sumSeries } from '../runs/series';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid, RunIdParam } from './answers';
import { readJsonBody } from './json-body';

const EventsQuery = z.object({ afterPosition: QueryInteger.default(0) });
/** A parameter given once reads as text, given more often as a list. */
const SeriesNames = z.preprocess(
  (name) => (typeof name === 'string' ? [name] : name),
  SeriesQuery.shape.name,
);
const SeriesParams = SeriesQuery.extend({ name: SeriesNames });
const SeriesSumsParams = SeriesSumsQuery.extend({ name: SeriesNames });

const requireRunRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}',
  request: { params: RunIdParam },
  responses: answers<RunDetail>('A run: its row, config, view and worker'),
});
const eventsRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/events',
  request: { params: RunIdParam, query: EventsQuery },
  responses: answers<EventsPage>('What was stored after a position'),
});
const seriesRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/series',
  request: { params: RunIdParam, query: SeriesParams },
  responses: answers<SeriesCurve[]>('Curves, in buckets'),
});
const seriesSumsRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/series/sums',
  request: { params: RunIdParam, query: SeriesSumsParams },
  responses: answers<SeriesSum[]>('What the points of series add up to'),
});
const seriesNamesRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/series/names',
  request: { params: RunIdParam },
  responses: answers<SeriesName[]>('Series of a run and their points'),
});

/** A run, its events and curves; launch, stop and continue. */
export function runRoutes(runtime: Runtime): OpenAPIHono {
  const { database } = runtime;
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(requireRunRoute, async (context) =>
    context.json(await requireRun(database, context.req.valid('param').runId, runtime.lease), 200),
  );
  app.openapi(eventsRoute, async (context) => {
    const { runId } = context.req.valid('param');
    return context.json(await eventsAfter(database, runId, context.req.valid('query').afterPosition), 200);
  });
  app.openapi(seriesRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await readSeries(database, runId, context.req.valid('query')), 200);
  });
  app.openapi(seriesSumsRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await sumSeries(database, runId, context.req.valid('query').name), 200);
  });
  app.openapi(seriesNamesRoute, async (context) => {
    const { runId } = context.req.valid('param');
    await requirePosition(database, runId);
    return context.json(await listSeries(database, runId), 200);
  });
  addLaunch(app, runtime);
  addStop(app, runtime);
  addContinue(app, runtime);
  return app;
}

/** The body is read by hand, since its config has a schema of its own per recipe. */
function addLaunch(app: OpenAPIHono, { database, publisher }: Runtime): void {
  const path = '/runs';
  app.openAPIRegistry.registerPath({
    method: 'post',
    path,
    request: { body: { content: { 'application/json': { schema: LaunchRequest } }, required: true } },
    responses: { 201: answers<LaunchedRun>('The id of the queued run')[200] },
  });
  app.post(path, async (context) => {
    const launched: LaunchedRun = await launchRun(database, parseLaunch(await readJsonBody(context)));
    publisher.workAvailable(launched.runId);
    return context.json(launched, 201);
  });
}

function addStop(app: OpenAPIHono, { database, publisher }: Runtime): void {
  const route = createRoute({
    method: 'post',
    path: '/runs/{runId}/stop',
    request: { params: RunIdParam },
    responses: answers<LaunchedRun>('Its stop was asked for'),
  });
  app.openapi(route, async (context) => {
    const { runId } = context.req.valid('param');
    const { published, workerId, attempt } = await requestStop(database, runId);
    publisher.runEvents(runId, published);
    if (workerId !== null) publisher.stopAsked(workerId, { runId, attempt });
    return context.json({ runId }, 200);
  });
}

/** The body is read by hand, so that one which does not call itself JSON is refused. */
function addContinue(app: OpenAPIHono, { database, publisher }: Runtime): void {
  const path = '/runs/{runId}/continue';
  app.openAPIRegistry.registerPath({
    method: 'post',
    path,
    request: {
      params: RunIdParam,
      body: { content: { 'application/json': { schema: ContinueRequest } }, required: true },
    },
    responses: answers<LaunchedRun>('It waits in the queue for its next attempt'),
  });
  app.post('/runs/:runId/continue', async (context) => {
    const { runId } = parseOrThrow(RunIdParam, context.req.param(), 'address');
    publisher.runEvents(runId, await continueRun(database, runId, await readJsonBody(context)));
    publisher.workAvailable(runId);
    const continued: LaunchedRun = { runId };
    return context.json(continued, 200);
  });
}
