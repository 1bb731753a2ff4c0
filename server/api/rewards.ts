import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { RewardsQuery, type RescoredRewards } from '@/contract/rewards';
import { rescoredRewards } from '../rewards/rescored';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid, RunIdParam } from './answers';

const route = createRoute({
  method: 'get',
  path: '/runs/{runId}/rewards',
  request: { params: RunIdParam, query: RewardsQuery },
  responses: answers<RescoredRewards>(
    'Rewards of stored trajectories under another formula, beside the recorded ones',
  ),
});

/** Rewards without training. */
export function rewardRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(route, async (context) =>
    context.json(
      await rescoredRewards(database, context.req.valid('param').runId, context.req.valid('query')),
      200,
    ),
  );
  return app;
}
