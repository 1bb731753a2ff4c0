import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RewardsQuery } from '@/contract/rewards';
import { TrajectoriesQuery } from '@/contract/trajectory-list';
import { listFailureClusters } from '../analysis/failure-clusters';
import { rescoredRewards } from '../rewards/rescored';
import { claimSample, launchSample, trajectory, type SampleAttempt } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { listTrajectories } from './list';

let database: TestDatabase;
let run: SampleAttempt;

/** One group: won for -1, lost for 0, and two of which the source says neither outcome nor reward. */
beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
  const unscored = { success: null, reward: null, shapedReward: null, stopReason: 'not_stated' } as const;
  const lost = { success: false, reward: 0, shapedReward: 0, stopReason: 'turn_limit' } as const;
  await run.say(
    trajectory({ sample: 0, success: true, reward: -1, shapedReward: -1 }),
    trajectory({ sample: 1, ...lost }),
    trajectory({ sample: 2, ...unscored }),
    trajectory({ sample: 3, ...unscored }),
  );
});
afterAll(() => database.close());

const list = (filters: Record<string, string>) =>
  listTrajectories(database, run.runId, TrajectoriesQuery.parse(filters));
const samplesOf = async (filters: Record<string, string>) =>
  (await list(filters)).trajectories.map(({ sample }) => sample).sort();

describe('trajectories of which no source says whether they were won', () => {
  it('are neither among the won nor among the lost, and can be asked for', async () => {
    expect(await samplesOf({ success: 'true' })).toEqual([0]);
    expect(await samplesOf({ success: 'false' })).toEqual([1]);
    expect(await samplesOf({ success: 'not_stated' })).toEqual([2, 3]);
  });

  it('have no reward, which no bound holds and every order by it has last, page after page', async () => {
    expect(await samplesOf({ maxReward: '1000' })).toEqual([0, 1]);
    const order = [];
    let after: string | undefined;
    do {
      const page = await list({ order: 'reward', limit: '1', ...(after !== undefined && { after }) });
      order.push(...page.trajectories.map(({ sample, reward }) => [sample, reward]));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(order).toEqual([
      [1, 0],
      [0, -1],
      [3, null],
      [2, null],
    ]);
  });

  it('are counted in their group, and not among its judged and rewarded', async () => {
    const { groups } = await list({});
    expect(groups).toMatchObject([{ n: 4, judged: 2, successes: 1, rewarded: 2, mean: -0.5 }]);
  });

  it('are no failures, and are counted beside them', async () => {
    const [step] = await listFailureClusters(database, run.runId, {});
    expect(step).toMatchObject({ n: 2, failed: 1, unscored: 2, unmarked: 0 });
    expect(step?.clusters.map(({ count }) => count)).toEqual([1]);
  });

  it('are scored by no formula that needs what they do not state', async () => {
    const formula = { outcome: 'won', scale: '1', invalidActionPenalty: '0', formatPenalty: '0' };
    const { total } = await rescoredRewards(
      database,
      run.runId,
      RewardsQuery.parse({ ...formula, formatReward: '0', over: 'trajectories' }),
    );
    expect(total).toMatchObject({ n: 4, errors: 0, unscored: 2, old: { n: 2 }, new: { n: 2, mean: 0.5 } });
  });
});
