import { describe, expect, it } from 'vitest';
import { AlfworldLabConfig } from '@/contract/recipes/alfworld-lab';
import { ALFWORLD_LAB_PRESETS } from '@/contract/recipes/alfworld-lab-presets';
import { isNegligible } from '@/rl/learning/advantages';
import { scoreLabGroups } from './alfworld-lab';
import { playedEpisode } from './testing/played';

const { small } = ALFWORLD_LAB_PRESETS;
const malformed = { formatOk: false, admissible: true };
const inadmissible = { admissible: false };

describe('the score of a group', () => {
  const group = () => [
    playedEpisode({ success: true, reward: 0.4 }, [malformed, inadmissible]),
    playedEpisode({}, [malformed, inadmissible, { formatOk: false, admissible: false }]),
    playedEpisode({ success: true }, [{ valid: false }]),
  ];

  it('is 1 for a win less a tenth for every reply that is malformed or inadmissible, against the mean alone', () => {
    const episodes = group();
    const scored = scoreLabGroups([episodes], small);
    const rewards = episodes.map(({ trajectory }) => trajectory.shapedReward ?? NaN);
    // 1 - 0.2, 0 - 0.3, 1: what the environment refused does not count by itself. Mean 0.5.
    [0.8, -0.3, 1].forEach((reward, i) => expect(rewards[i]).toBeCloseTo(reward, 12));
    [0.3, -0.8, 0.5].forEach((advantage, i) => expect(scored[i]?.advantages[0]).toBeCloseTo(advantage, 12));
  });

  it('is the win alone where invalid actions cost nothing', () => {
    const scored = scoreLabGroups([group()], { reward: { invalidActionPenalty: 0 } });
    expect(scored.map(({ advantages }) => advantages[0]?.toFixed(3))).toEqual(['0.333', '-0.667', '0.333']);
  });

  it('leaves nothing to learn where all are alike, and from those that are as good as the mean', () => {
    const alike = scoreLabGroups(
      [[playedEpisode({}, [inadmissible]), playedEpisode({}, [malformed])]],
      small,
    );
    expect(alike.every(({ advantages }) => advantages.every(isNegligible))).toBe(true);
    const [, middle] = scoreLabGroups(
      [[playedEpisode({}, [{}]), playedEpisode({}, [malformed]), playedEpisode({}, [malformed, malformed])]],
      small,
    );
    expect(middle?.advantages.every(isNegligible)).toBe(true);
  });
});

it('every preset is a config of the recipe', () => {
  for (const preset of Object.values(ALFWORLD_LAB_PRESETS))
    expect(AlfworldLabConfig.parse(preset)).toEqual(preset);
});
