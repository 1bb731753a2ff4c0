import { describe, expect, it } from 'vitest';
import type { RewardSettings } from '@/contract/recipes/policy-settings';
import { createRandom } from '@/rl/random';
import { rowsOfScored, scoreGroups, turnsOfCalls } from './group-scores';
import { playedEpisode } from './testing/played';

const plain: RewardSettings = {
  outcome: 'environment',
  scale: 1,
  invalidActionPenalty: 0,
  formatPenalty: 0,
  formatReward: 0,
};
describe('groups', () => {
  const win = () => playedEpisode({ reward: 1, success: true }, [{}]);
  const loss = () => playedEpisode({ reward: 0 }, [{}, {}, {}]);
  const broken = () => playedEpisode({ stopReason: 'error' }, [{}]);

  it('score each episode against its own group, without those that ended in an error', () => {
    const scored = scoreGroups(
      [
        [win(), loss(), broken()],
        [win(), win()],
      ],
      {
        reward: plain,
        advantage: { scale: 'none', over: 'trajectories' },
      },
    );
    expect(scored.map(({ advantages, isDegenerate }) => [advantages, isDegenerate])).toEqual([
      [[0.5], false],
      [[-0.5], false],
      [[0], true],
      [[0], true],
    ]);
    expect(scored[0]?.episode.trajectory).toMatchObject({ shapedReward: 1, advantage: 0.5 });
  });

  it('weigh a long trajectory by its turns where the statistics are over turns', () => {
    const [won, lost] = scoreGroups([[win(), loss()]], {
      reward: plain,
      advantage: { scale: 'none', over: 'turns' },
    });
    // One row of 1 and three of 0: the mean is 1/4.
    expect(won?.advantages).toEqual([0.75]);
    expect(lost?.advantages).toEqual([-0.25, -0.25, -0.25]);
    expect(lost?.episode.trajectory.advantage).toBe(-0.25);
  });

  it('give rows to all episodes that teach, a turn’s advantage to its own row', () => {
    const scored = scoreGroups(
      [
        [win(), loss()],
        [win(), win()],
      ],
      {
        reward: { ...plain, invalidActionPenalty: 0 },
        advantage: { scale: 'none', over: 'turns' },
      },
    );
    const rows = rowsOfScored(scored, { dropDegenerateGroups: true }, null, 1);
    expect(rows.map(({ advantages }) => advantages)).toEqual([
      [0.75, 0.75],
      [-0.25, -0.25],
      [-0.25, -0.25],
      [-0.25, -0.25],
    ]);
    expect(rowsOfScored(scored, { dropDegenerateGroups: false }, null, 1)).toHaveLength(6);
  });

  it('deal the same advantages anew in the control that must not learn', () => {
    const groups = Array.from({ length: 8 }, () => [win(), loss()]);
    const scored = scoreGroups(groups, { reward: plain, advantage: { scale: 'none', over: 'trajectories' } });
    const own = rowsOfScored(scored, { dropDegenerateGroups: true }, null, 1);
    const dealt = rowsOfScored(scored, { dropDegenerateGroups: true }, createRandom(3), 1);
    const signs = (rows: typeof own) => rows.map(({ advantages }) => advantages[0] ?? NaN);
    expect(signs(dealt)).not.toEqual(signs(own));
    expect(dealt.map(({ prompt }) => prompt)).toEqual(own.map(({ prompt }) => prompt));
  });
});

it('a strategy belongs to the first turn, a memory to the turn before it', () => {
  const call = (kind: 'action' | 'strategy' | 'memory') => ({
    call: kind,
    prompt: [],
    reply: [],
    logprobs: [],
  });
  const calls = [call('strategy'), call('action'), call('memory'), call('action'), call('memory')];
  expect(turnsOfCalls(calls)).toEqual([0, 0, 0, 1, 1]);
});
