import { describe, expect, it } from 'vitest';
import type { RewardSettings } from '@/contract/recipes/policy-settings';
import { createRandom } from '@/rl/random';
import { rowsOfScored, scoreGroups, scoresOf, turnsOfCalls } from './group-scores';
import { playedEpisode } from './testing/played';

const plain: RewardSettings = {
  outcome: 'environment',
  scale: 1,
  invalidActionPenalty: 0,
  formatPenalty: 0,
  formatReward: 0,
};
const turns = [{}, { valid: false }, { valid: false, formatOk: false }];
const { trajectory } = playedEpisode({ reward: 0.8, success: true }, turns);

describe('scores of a trajectory', () => {
  it('are its outcome less its penalties', () => {
    expect(scoresOf(trajectory, plain, 'trajectories')).toEqual([0.8]);
    const [score] = scoresOf(trajectory, { ...plain, invalidActionPenalty: 0.1 }, 'trajectories');
    expect(score).toBeCloseTo(0.8 - 2 * 0.1, 12);
    expect(scoresOf(trajectory, { ...plain, outcome: 'won', scale: 10 }, 'trajectories')).toEqual([10]);
  });

  it('are one a turn with the turn’s own penalties, as verl-agent has them', () => {
    const verlAgent = { ...plain, outcome: 'won' as const, scale: 10, formatPenalty: 0.1 };
    expect(scoresOf(trajectory, verlAgent, 'turns')).toEqual([10, 10, 9.9]);
  });

  it('are ±1 for the outcome and ±0.5 for the format, as the BabyAI-Text line has them', () => {
    const settings = { ...plain, outcome: 'won-or-lost' as const, formatReward: 0.5 };
    const lost = playedEpisode({}, [{}]).trajectory;
    expect(scoresOf(trajectory, settings, 'trajectories')).toEqual([0.5]);
    expect(scoresOf(lost, settings, 'trajectories')).toEqual([-0.5]);
    const garbled = playedEpisode({}, [{ formatOk: false }]).trajectory;
    expect(scoresOf(garbled, settings, 'trajectories')).toEqual([-1.5]);
  });
});

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
