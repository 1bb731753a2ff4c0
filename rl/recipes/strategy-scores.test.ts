import { describe, expect, it } from 'vitest';
import { STRATA_PRESETS } from '@/contract/recipes/strata-presets';
import type { CallTokens, PlayedEpisode } from '@/rl/play';
import { createRandom } from '@/rl/random';
import type { NamedTurns } from './self-judgment';
import type { PlayedStrategy } from './strategies';
import { judgmentMetrics, strategyMetrics } from './strategy-metrics';
import { scoreStrategies, strategyRows, turnGroupsText, withoutNegligible } from './strategy-scores';
import { playedEpisode } from './testing/played';

const { small } = STRATA_PRESETS;
const config = {
  ...small,
  reward: { ...small.reward, outcome: 'won' as const, invalidActionPenalty: 0 },
  advantage: { ...small.advantage, scale: 'none' as const },
};

const NOBODY = new Map<PlayedEpisode, NamedTurns>();

/** Trajectories of a strategy: whether each won, and in how many turns. */
function strategyOf(text: string | null, ...scoredEpisodes: [won: boolean, turns: number][]): PlayedStrategy {
  const call: CallTokens = { call: 'strategy', prompt: [1, 2], reply: [7, 8, 0], logprobs: [-1, -1, -1] };
  return {
    group: 0,
    draft: { call, reply: text ?? 'broken', text },
    episodes: scoredEpisodes.map(([success, turns]) =>
      playedEpisode(
        { success },
        Array.from({ length: turns }, () => ({})),
      ),
    ),
  };
}

const good = () => strategyOf('look first', [true, 1], [true, 2], [false, 3], [false, 3]);
const bad = () => strategyOf('wander', [true, 2], [false, 3], [false, 3], [false, 3]);

describe('a strategy', () => {
  it('is worth the mean of its best half, against the other strategies of its task', () => {
    const scored = scoreStrategies([good(), bad()], NOBODY, config);
    expect(scored.map(({ reward }) => reward)).toEqual([1, 0.5]);
    expect(scored.map(({ advantage }) => advantage)).toEqual([0.25, -0.25]);
  });

  it('is worth the mean of all its trajectories where no fraction is left out', () => {
    const strategies = { ...config.strategies, topFraction: 1 };
    const scored = scoreStrategies([good(), bad()], NOBODY, { ...config, strategies });
    expect(scored.map(({ reward }) => reward)).toEqual([0.5, 0.25]);
  });

  it('is judged by the trajectories that were played to their end, and left out without one', () => {
    const failing = good();
    for (const { trajectory } of failing.episodes.slice(1)) trajectory.stopReason = 'error';
    const lost = bad();
    for (const { trajectory } of lost.episodes) trajectory.stopReason = 'error';
    const scored = scoreStrategies([failing, lost], NOBODY, config);
    expect(scored.map(({ reward, scoredEpisodes }) => [reward, scoredEpisodes.length])).toEqual([[1, 1]]);
  });

  it('loses what a broken format and too long a reply cost, where a config says so', () => {
    const reward = {
      ...config.reward,
      formatPenalty: 0.2,
      lengthPenalty: { penalty: 0.1, threshold: 0.125 },
    };
    // Of 16 tokens an eighth is 2: the strategy's 3 are too long, a turn's 2 are not.
    const scored = scoreStrategies([strategyOf(null, [true, 1]), strategyOf('go', [true, 1])], NOBODY, {
      ...config,
      reward,
    });
    expect(scored[0]?.reward).toBeCloseTo(0.7, 12);
    expect(scored[1]?.reward).toBeCloseTo(0.9, 12);
    expect(scored[1]?.scoredEpisodes[0]?.episode.trajectory.shapedReward).toBe(1);
  });

  it('is one row with its advantage, dealt anew by the control', () => {
    const scored = scoreStrategies([good(), bad(), strategyOf('win', [true, 1])], NOBODY, config);
    const rows = strategyRows(scored, null);
    expect(rows.map(({ prompt, reply }) => [prompt, reply])).toEqual(
      [0, 1, 2].map(() => [
        [1, 2],
        [7, 8, 0],
      ]),
    );
    const advantagesOf = (some: typeof rows) => some.map(({ advantages }) => advantages[0]);
    expect(advantagesOf(rows)).toEqual(scored.map(({ advantage }) => advantage));
    expect(advantagesOf(strategyRows(scored, createRandom(2))).sort()).toEqual(advantagesOf(rows).sort());
  });
});

describe('a turn', () => {
  it('is compared with the same turn of the other trajectories of its strategy; one alone keeps its reward', () => {
    const [scored] = scoreStrategies([strategyOf('go', [true, 3], [false, 1], [false, 2])], NOBODY, config);
    const advantages = scored?.scoredEpisodes.map((each) => each.advantages) ?? [];
    // Turn 0: rewards 1, 0, 0. Turn 1: 1 and 0. Turn 2 was reached once.
    expect(advantages[0]?.[0]).toBeCloseTo(2 / 3, 12);
    expect(advantages[0]?.slice(1)).toEqual([0.5, 1]);
    expect(advantages[1]?.[0]).toBeCloseTo(-1 / 3, 12);
    expect(advantages[2]?.[1]).toBe(-0.5);
    expect(scored?.turnGroups).toEqual([1, 2, 3].map((size) => ({ size, groups: 1 })));
  });

  it('is left out where its advantage is 0, and so is a strategy', () => {
    const alike = () => strategyOf('go', [true, 2], [true, 1]);
    const scored = scoreStrategies([alike(), alike()], NOBODY, config);
    const { strategies, scoredEpisodes } = withoutNegligible(scored);
    expect(strategies).toEqual([]);
    // Only the second turn of the first trajectory, which has no other to be compared with, differs from 0.
    expect(scoredEpisodes.map(({ advantages }) => advantages)).toEqual([[1], [], [1], []]);
    expect(scoredEpisodes.map(({ episode }) => episode.calls.map(({ reply }) => reply[0]))).toEqual([
      [11],
      [],
      [11],
      [],
    ]);
    expect(scoredEpisodes[0]?.episode.trajectory).toBe(scored[0]?.scoredEpisodes[0]?.episode.trajectory);
  });

  it('loses what the policy’s own judgment costs it, and gains nothing by it', () => {
    const strategy = strategyOf('go', [true, 2], [true, 2]);
    const [first, second] = strategy.episodes;
    if (!first || !second) throw new Error('two trajectories were asked for');
    const named = new Map<PlayedEpisode, NamedTurns>([
      [first, [1]],
      [second, null],
    ]);
    const judging = { ...config, judgment: { penalty: 0.5 } };
    const [scored] = scoreStrategies([strategy], named, judging);
    expect(scored?.scoredEpisodes.map(({ advantages }) => advantages)).toEqual([
      [0, -0.25],
      [0, 0.25],
    ]);
    expect(first.trajectory.shapedReward).toBe(0.75);
    expect(scored?.reward).toBe(1);
    expect(judgmentMetrics(named)).toEqual({ 'strata/judged_rate': 0.5, 'strata/flagged_turn_rate': 0.5 });
  });

  it('has no figure of a judgment that was not asked for, and none of turns where no answer could be read', () => {
    const { episodes } = strategyOf('go', [true, 2]);
    const named = new Map<PlayedEpisode, NamedTurns>(episodes.map((episode) => [episode, null]));
    expect(judgmentMetrics(named)).toEqual({});
    episodes[0]?.trajectory.flags.push('self_judgment_unreadable');
    expect(judgmentMetrics(named)).toEqual({ 'strata/judged_rate': 0 });
  });

  it('is counted by the size of its group', () => {
    const scored = scoreStrategies([good(), bad()], NOBODY, config);
    // Reached by 4, 3 and 2 trajectories of the first strategy, by 4, 4 and 3 of the second.
    expect(turnGroupsText(scored)).toBe('groups of turns by size: 1 of 2, 2 of 3, 3 of 4');
    expect(strategyMetrics(scored)).toMatchObject({
      'strata/strategy_reward_mean': 0.75,
      'strata/turn_group_size_mean': 20 / 6,
      'strata/lone_turn_rate': 0,
    });
  });
});
