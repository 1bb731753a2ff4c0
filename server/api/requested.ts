import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { ActionScoresRequest, type ActionScoresAnswer } from '@/contract/action-scores';
import type { LaunchedRun } from '@/contract/api';
import { ForkRequest, ForksQuery, type Fork } from '@/contract/forks';
import { parseOrThrow } from '@/contract/parse';
import { PlayCommandRequest, PlayRequest, type PlayState } from '@/contract/play';
import { giveCommand } from '../play/commands';
import { requestPlay, requirePlay } from '../play/queries';
import { readActionScores, requestActionScores } from '../requested/action-scores';
import { listForks, requestForks } from '../requested/forks';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid, RunIdParam } from './answers';
import { readJsonBody } from './json-body';

const { trajectories } = ActionScoresRequest.shape;
const ScoresQuery = z.object({
  /** A parameter given once reads as text, given twice as a list. */
  trajectory: z.preprocess((id) => (typeof id === 'string' ? [id] : id), trajectories),
});

const scoresRoute = createRoute({
  method: 'get',
  path: '/action-scores',
  request: { query: ScoresQuery },
  responses: answers<ActionScoresAnswer>('Recorded replies under the checkpoints that played them'),
});
const forksRoute = createRoute({
  method: 'get',
  path: '/forks',
  request: { query: ForksQuery },
  responses: answers<Fork[]>('Continuations of a recorded trajectory'),
});
const playRoute = createRoute({
  method: 'get',
  path: '/runs/{runId}/play',
  request: { params: RunIdParam },
  responses: answers<PlayState>('A play by hand as far as it has come'),
});

/** What workers do with checkpoints on request: scores, forks, plays by hand. Bodies are read by hand, so that only JSON is taken. */
export function requestedRoutes({ database, publisher }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(scoresRoute, async (context) =>
    context.json(await readActionScores(database, context.req.valid('query').trajectory), 200),
  );
  describePost(
    app,
    '/action-scores',
    ActionScoresRequest,
    answers<ActionScoresAnswer>('What was asked for'),
    201,
  );
  app.post('/action-scores', async (context) => {
    const asked = parseOrThrow(ActionScoresRequest, await readJsonBody(context), 'request');
    const launched = await requestActionScores(database, asked.trajectories);
    launched.forEach((runId) => publisher.workAvailable(runId));
    const answer: ActionScoresAnswer = await readActionScores(database, asked.trajectories);
    return context.json(answer, 201);
  });
  app.openapi(forksRoute, async (context) =>
    context.json(await listForks(database, context.req.valid('query')), 200),
  );
  describePost(app, '/forks', ForkRequest, answers<Fork[]>('Continuations of the turn'), 201);
  app.post('/forks', async (context) => {
    const request = parseOrThrow(ForkRequest, await readJsonBody(context), 'request');
    const launched = await requestForks(database, request);
    launched.forEach((runId) => publisher.workAvailable(runId));
    const answer: Fork[] = await listForks(database, { trajectory: request.trajectory, turn: request.turn });
    return context.json(answer, 201);
  });
  describePost(app, '/plays', PlayRequest, answers<LaunchedRun>('The run that plays'), 201);
  app.post('/plays', async (context) => {
    const request = parseOrThrow(PlayRequest, await readJsonBody(context), 'request');
    const launched: LaunchedRun = await requestPlay(database, request);
    publisher.workAvailable(launched.runId);
    return context.json(launched, 201);
  });
  app.openapi(playRoute, async (context) =>
    context.json(await requirePlay(database, context.req.valid('param').runId), 200),
  );
  describePost(
    app,
    '/runs/{runId}/commands',
    PlayCommandRequest,
    answers<{ number: number }>('The number of the stored command'),
    200,
  );
  app.post('/runs/:runId/commands', async (context) => {
    const { runId } = parseOrThrow(RunIdParam, context.req.param(), 'address');
    const request = parseOrThrow(PlayCommandRequest, await readJsonBody(context), 'request');
    const { number, workerId, attempt } = await giveCommand(database, runId, request);
    if (workerId !== null) publisher.commanded(workerId, { runId, attempt });
    return context.json({ number }, 200);
  });
  return app;
}

/** Tells of a route whose body is read by hand. */
function describePost(
  app: OpenAPIHono,
  path: string,
  body: z.ZodType,
  answer: ReturnType<typeof answers>,
  status: 200 | 201,
): void {
  app.openAPIRegistry.registerPath({
    method: 'post',
    path,
    request: { body: { content: { 'application/json': { schema: body } }, required: true } },
    responses: { [status]: answer[200] },
  });
}
