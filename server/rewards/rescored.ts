import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { GroupAdvantage } from '@/contract/recipes/grpo';
import { RewardSettings } from '@/contract/recipes/policy-settings';
import { RESUMED_FROM_RECORDS } from '@/contract/recipes/requested';
import { RewardFormula, type RescoredRewards, type RewardsQuery } from '@/contract/rewards';
import { MAX_INTEGER } from '@/contract/bounds';
import { rescore, rewardUnder, totalOf, type StoredReward } from '@/stats/rescored-rewards';
import type { Database } from '../database';

/** Most trajectories that are scored anew at once: more take seconds. */
const MAX_TRAJECTORIES = 20_000;

const PLAIN: RewardFormula = {
  outcome: 'environment',
  scale: 1,
  invalidActionPenalty: 0,
  formatPenalty: 0,
  formatReward: 0,
  over: 'trajectories',
};

/** What a run's config says of rewards; recipes with settings of their own say more, which no formula has. */
const OwnFormula = z.object({
  reward: z.object(RewardSettings.shape),
  advantage: z.object({ over: GroupAdvantage.shape.over }).default({ over: 'trajectories' }),
});

interface Row extends StoredReward {
  id: string;
  step: number;
  taskId: string;
  sample: number;
}

/**
 * Trajectories of the newest attempt at each step, of all attempts where each goes on from what the one before it stored, with
 * what of their turns a reward is made of.
 */
const STORED = `WITH newest AS (
    SELECT "step",
      CASE WHEN (SELECT "recipe" = ANY($6) FROM "Run" WHERE "id" = $1) THEN 0 ELSE max("attempt") END AS "first"
    FROM "Trajectory"
    WHERE "runId" = $1 AND "phase" = $2 AND "step" BETWEEN $3 AND $4 GROUP BY "step"
  )
  SELECT trajectory."id"::text, trajectory."step", trajectory."taskId", trajectory."group", trajectory."sample",
    trajectory."reward", trajectory."success", trajectory."shapedReward", trajectory."stopReason",
    COALESCE((SELECT json_agg(json_build_object('valid', turn."valid", 'formatOk', turn."formatOk") ORDER BY turn."index")
      FROM "Turn" turn WHERE turn."trajectoryId" = trajectory."id"), '[]') AS "turns"
  FROM "Trajectory" trajectory JOIN newest USING ("step")
  WHERE trajectory."runId" = $1 AND trajectory."phase" = $2 AND trajectory."attempt" >= newest."first"
  ORDER BY trajectory."step", trajectory."group", trajectory."sample", trajectory."id" LIMIT $5`;

/**
 * Rewards of a run's stored trajectories under another formula beside the recorded ones. Throws `not_found`, and `too_large`
 * where the range has more trajectories than are scored at once.
 */
export async function rescoredRewards(
  database: Database,
  runId: string,
  { phase, fromStep = 0, toStep = MAX_INTEGER, ...asked }: RewardsQuery,
): Promise<RescoredRewards> {
  const own = await ownFormula(database, runId);
  const { rows } = await database.pool.query<Row>(STORED, [
    runId,
    phase,
    fromStep,
    toStep,
    MAX_TRAJECTORIES + 1,
    RESUMED_FROM_RECORDS,
  ]);
  if (rows.length > MAX_TRAJECTORIES)
    throw new AppError(
      'too_large',
      `steps ${fromStep} to ${toStep} have more than ${MAX_TRAJECTORIES} trajectories: choose fewer by fromStep and toStep`,
    );
  const stated = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const formula = RewardFormula.parse({ ...(own ?? PLAIN), ...stated });
  const byStep = new Map<number, Row[]>();
  for (const row of rows) {
    const played = byStep.get(row.step) ?? [];
    if (played.push(row) === 1) byStep.set(row.step, played);
  }
  const steps = [...byStep].map(([step, played]) => ({ step, ...rescore(played, formula) }));
  return {
    own,
    formula,
    total: totalOf(steps),
    steps,
    trajectories: steps.length === 1 && fromStep === toStep ? rows.map((row) => besideOld(row, formula)) : [],
  };
}

async function ownFormula(database: Database, runId: string): Promise<RewardFormula | null> {
  const run = await database.prisma.run.findUnique({ where: { id: runId }, select: { config: true } });
  if (!run)
    throw new AppError('not_found', `no run has the id ${runId}`, [{ path: 'runId', message: 'unknown' }]);
  const parsed = OwnFormula.safeParse(run.config);
  return parsed.success ? { ...parsed.data.reward, over: parsed.data.advantage.over } : null;
}

function besideOld(row: Row, formula: RewardFormula): RescoredRewards['trajectories'][number] {
  const { id, taskId, group, sample, success, reward, shapedReward } = row;
  return { id, taskId, group, sample, success, reward, old: shapedReward, new: rewardUnder(row, formula) };
}
