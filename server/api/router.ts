import { OpenAPIHono } from '@hono/zod-openapi';
import { AppError } from '@/contract/errors';
import { PROTOCOL_VERSION } from '@/contract/version';
import type { Runtime } from '../runtime';
import { alertRoutes } from './alerts';
import { blobRoutes } from './blobs';
import { bundleRoutes } from './bundle';
import { compareRoutes } from './compare';
import { answerError } from './errors';
import { evaluationRoutes } from './evaluations';
import { importRoutes } from './imports';
import { pairRoutes } from './pairs';
import { recordRoutes } from './records';
import { reportRoutes } from './reports';
import { requestedRoutes } from './requested';
import { rewardRoutes } from './rewards';
import { runListRoutes } from './run-list';
import { runRoutes } from './runs';
import { serviceRoutes } from './service';
import { trajectoryListRoutes } from './trajectories';

export const API_PATH = '/api/v1';

/** The REST interface, described by itself at `/api/v1/openapi.json`. */
export function createApi(runtime: Runtime): OpenAPIHono {
  const app = new OpenAPIHono().basePath(API_PATH);
  app.onError(answerError);
  app.use(async (context, next) => {
    await next();
    if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
  });
  for (const routes of [
    serviceRoutes(runtime),
    runListRoutes(runtime),
    runRoutes(runtime),
    trajectoryListRoutes(runtime),
    recordRoutes(runtime),
    alertRoutes(runtime),
    evaluationRoutes(runtime),
    pairRoutes(runtime),
    compareRoutes(runtime),
    importRoutes(runtime),
    requestedRoutes(runtime),
    bundleRoutes(runtime),
    reportRoutes(runtime),
    rewardRoutes(runtime),
  ]) {
    routes.onError(answerError);
    app.route('/', routes);
  }
  app.route('/', blobRoutes(runtime).onError(answerError));
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Stepscope', version: String(PROTOCOL_VERSION) },
  });
  app.notFound((context) =>
    answerError(
      new AppError('not_found', `${context.req.method} ${context.req.path} is not a route`),
      context,
    ),
  );
  return app;
}
