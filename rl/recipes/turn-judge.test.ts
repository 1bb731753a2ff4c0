import { describe, expect, it } from 'vitest';
import { JUDGE_MIXES, TURN_JUDGE_PRESETS } from '@/contract/recipes/turn-judge-presets';
import { TurnJudgeConfig } from '@/contract/recipes/turn-judge';
import { createRandom } from '@/rl/random';
import { playedEpisode } from './testing/played';
import { drawTurns, needsScore, rewardTurns, rowsOfSamples } from './turn-judge';

const task = { id: 'room/1', taskType: 'leave', split: 'train' as const };
const { small } = TURN_JUDGE_PRESETS;

function drawnFrom(episode: ReturnType<typeof playedEpisode>, turns: readonly number[]) {
  return turns.map((turn) => ({ task, episode, turn }));
}

describe('drawn turns', () => {
  const episode = playedEpisode(
    {},
    Array.from({ length: 12 }, () => ({})),
  );

  it('are four different ones in their order, the same for a seed and step, and others for another', () => {
    const drawn = (step: number, seed = 1) =>
      drawTurns({ task, episode }, { ...small, seed }, step).map(({ turn }) => turn);
    const first = drawn(1);
    expect(new Set(first).size).toBe(4);
    expect(first).toEqual([...first].sort((a, b) => a - b));
    expect(drawn(1)).toEqual(first);
    expect(new Set([1, 2, 3, 4, 5].map((step) => drawn(step).join())).size).toBeGreaterThan(1);
  });

  it('are all of them where there are fewer', () => {
    const short = playedEpisode({}, [{}, {}]);
    expect(drawTurns({ task, episode: short }, small, 1).map(({ turn }) => turn)).toEqual([0, 1]);
  });
});

describe('rewards of drawn turns', () => {
  it('are the judge’s score and the format’s reward, each turn its own, without a baseline', () => {
    const episode = playedEpisode({ success: false }, [{}, {}, {}]);
    const samples = rewardTurns(drawnFrom(episode, [0, 2]), [1, -0.5], JUDGE_MIXES['v2.2']);
    expect(samples.map(({ turn, reward }) => [turn, reward])).toEqual([
      [0, 1.5],
      [2, 0],
    ]);
    expect(episode.trajectory.shapedReward).toBe(0.75);
    expect(episode.trajectory.advantage).toBe(0.75);
    expect(
      rowsOfSamples(samples, null)
        .flat()
        .map(({ prompt, advantages }) => [prompt[0], advantages]),
    ).toEqual([
      [100, [1.5, 1.5]],
      [102, [0, 0]],
    ]);
  });

  it('follow the judge: another score changes what is trained on, and without a judge the outcome alone decides', () => {
    const rewardsOf = (score: number | null, mix: TurnJudgeConfig['reward']) =>
      rewardTurns(drawnFrom(playedEpisode({ success: true }, [{}]), [0]), [score], mix).map(
        ({ reward }) => reward,
      );
    expect(rewardsOf(1, JUDGE_MIXES['v2.1'])).toEqual([1.5]);
    expect(rewardsOf(-1, JUDGE_MIXES['v2.1'])).toEqual([0.5]);
    expect(rewardsOf(null, JUDGE_MIXES['v2.3'])).toEqual([10]);
  });

  it('leave out a turn that got no score, unless its reward needs none', () => {
    const episode = playedEpisode({}, [{}, {}]);
    const samples = rewardTurns(drawnFrom(episode, [0, 1]), [null, 0], JUDGE_MIXES['v2.2']);
    expect(samples.map(({ turn }) => turn)).toEqual([1]);
    const broken = playedEpisode({}, [{ formatOk: false }, {}]);
    const failed = rewardTurns(drawnFrom(broken, [0, 1]), [null, 1], JUDGE_MIXES['v2.2']);
    expect(failed.map(({ reward }) => reward)).toEqual([-1.5, -1.5]);
  });

  it('need no score where a broken reply has fixed them, or where the judge weighs nothing', () => {
    const needs = (formatOk: boolean, mix: TurnJudgeConfig['reward']) =>
      needsScore({ task, episode: playedEpisode({}, [{ formatOk }, {}]), turn: 1 }, mix);
    expect(needs(true, JUDGE_MIXES['v2.2'])).toBe(true);
    expect(needs(false, JUDGE_MIXES['v2.2'])).toBe(false);
    expect(needs(false, { ...JUDGE_MIXES['v2.2'], format: 'soft' })).toBe(true);
    expect(needs(true, JUDGE_MIXES['v2.3'])).toBe(false);
  });

  it('are dealt anew among the samples by the control', () => {
    const episode = playedEpisode(
      {},
      Array.from({ length: 20 }, () => ({})),
    );
    const turns = episode.trajectory.turns.map(({ index }) => index);
    const scores = turns.map((turn) => turn / 20 - 0.5);
    const samples = rewardTurns(drawnFrom(episode, turns), scores, JUDGE_MIXES['v2.2']);
    const rewardsOf = (rows: ReturnType<typeof rowsOfSamples>) =>
      rows.flat().map(({ advantages }) => advantages[0]);
    const own = rewardsOf(rowsOfSamples(samples, null));
    const dealt = rewardsOf(rowsOfSamples(samples, createRandom(1)));
    expect(dealt).not.toEqual(own);
    expect([...dealt].sort()).toEqual([...own].sort());
  });
});

describe('a config', () => {
  it.each(Object.entries(TURN_JUDGE_PRESETS))('of preset %s is valid', (_, preset) => {
    expect(TurnJudgeConfig.parse(preset)).toEqual(preset);
  });

  it('names the judge that its mix lacks', () => {
    const unjudged = { ...small, judge: { ...small.judge, source: 'none' } };
    expect(TurnJudgeConfig.safeParse(unjudged).error?.issues[0]).toMatchObject({
      path: ['judge', 'source'],
      message: 'expected expert or endpoint, for reward.judgeWeight is 1',
    });
    const prices = { currency: 'CNY', prefillPerMillion: 1, samplePerMillion: 1 };
    const priced = {
      ...small,
      judge: { ...small.judge, endpoint: { address: 'http://127.0.0.1:1/v1', model: 'judge-1', prices } },
      cost: { ...prices, currency: 'USD', trainPerMillion: 1 },
      rules: { costBudget: 5 },
    };
    expect(TurnJudgeConfig.safeParse(priced).error?.issues.map(({ message }) => message)).toEqual([
      'expected USD, in which rules.costBudget is counted, got CNY',
    ]);
    const nowhere = { ...small, judge: { ...small.judge, source: 'endpoint' } };
    expect(TurnJudgeConfig.safeParse(nowhere).error?.issues[0]?.path).toEqual(['judge', 'endpoint']);
  });
});
