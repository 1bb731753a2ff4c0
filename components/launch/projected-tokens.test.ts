import { describe, expect, it } from 'vitest';
import type { SeriesSum } from '@/contract/api';
import type { DapoConfig } from '@/contract/recipes/dapo';
import { DAPO_PRESETS } from '@/contract/recipes/dapo-presets';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { OPD_PRESETS } from '@/contract/recipes/opd-presets';
import { REGROUP_PRESETS } from '@/contract/recipes/regroup-presets';
import { SDAR_PRESETS } from '@/contract/recipes/sdar-presets';
import { STRATA_PRESETS } from '@/contract/recipes/strata-presets';
import { SCAFFOLDS } from '@/contract/scaffolds';
import {
  episodeLimits,
  mostSamplings,
  mostTokens,
  plannedEpisodes,
  scaledSeconds,
  scaledTokens,
  uncountedTokens,
} from './projected-tokens';

const base: GrpoConfig = {
  ...GRPO_PRESETS.verify,
  steps: 25,
  environment: { ...GRPO_PRESETS.verify.environment, maxTurns: 5 },
  rollout: { groups: 4, groupSize: 8, temperature: 1, maxReplyTokens: 10, maxPromptTokens: 100 },
  update: { ...GRPO_PRESETS.verify.update, epochs: 2, klCoef: 0 },
  evaluation: {
    ...GRPO_PRESETS.verify.evaluation,
    everySteps: 10,
    splits: [{ split: 'valid_seen', tasks: 20 }],
    finalSplits: [
      { split: 'valid_seen', tasks: 20 },
      { split: 'valid_unseen', tasks: 10 },
    ],
    decodings: ['greedy', 'sampled'],
    controls: false,
  },
  probe: { tasks: 3, samples: 4 },
};
const NOTHING = { prefilled: 0, reused: 0, sampled: 0, trained: 0 };

describe('planned episodes', () => {
  it('are those of every step, evaluation and probe', () => {
    // Evaluated at 0, 10, 20 and 25: the first and the last with both splits.
    expect(plannedEpisodes(base)).toEqual({
      training: 25 * 4 * 8,
      evaluation: 2 * (30 + 20 + 20 + 30),
      probe: 4 * 3 * 5,
    });
    const controls = { ...base, evaluation: { ...base.evaluation, controls: true } };
    expect(plannedEpisodes(controls)?.evaluation).toBe(200 + 2 * 30);
    const never = { ...base, evaluation: { ...base.evaluation, everySteps: 0 } };
    expect(plannedEpisodes(never)).toEqual({ training: 800, evaluation: 0, probe: 0 });
  });

  it('count the last step once where it is a step of the rhythm', () => {
    const twenty = plannedEpisodes({ ...base, steps: 20 });
    expect(twenty).toMatchObject({ evaluation: 2 * (30 + 20 + 30), probe: 3 * 15 });
  });
});

describe('what the upper bounds leave out', () => {
  it('is nothing where a recipe only plays and trains', () => {
    expect(uncountedTokens(base)).toEqual([]);
    expect(uncountedTokens(DAPO_PRESETS.verify)).toEqual([]);
  });

  it('is named for recipes that have models read or write more', () => {
    const { strategies, rollout } = STRATA_PRESETS.verify;
    const asked = { ...STRATA_PRESETS.verify, judgment: { penalty: 0.1 } };
    const oversampling = rollout.groupSize / strategies.count;
    const drafting = (factor: number) => ({
      ...asked,
      judgment: null,
      strategies: { ...strategies, oversampling: factor, selection: 'farthest' as const },
    });
    const skills = [{ taskType: '', text: 'Look around.' }];
    const skilled = {
      ...SDAR_PRESETS.verify,
      distillation: { ...SDAR_PRESETS.verify.distillation, skills },
    };
    expect(uncountedTokens(REGROUP_PRESETS.verify)).toEqual([
      'the episodes whose turns the groups set in at',
    ]);
    expect(uncountedTokens(asked)).toContain('the policy’s judgment of its own turns');
    expect(uncountedTokens(drafting(oversampling))).toEqual([]);
    expect(uncountedTokens(drafting(oversampling + 1))).toEqual(['strategies written beyond one a sample']);
    expect(uncountedTokens(skilled)).toEqual(['the scoring of replies with a skill']);
    expect(uncountedTokens(OPD_PRESETS.verify)).toEqual(['what the teacher scores and goes on with']);
  });
});

describe('the limits of an episode', () => {
  it('follow the scaffold: rows and calls of a rebuilt prompt, of a chat, of one that writes notes', () => {
    expect(episodeLimits(base)).toEqual({ turns: 5, calls: 5, rows: 5, promptTokens: 100, replyTokens: 10 });
    const chat = episodeLimits({ ...base, scaffold: SCAFFOLDS.react.defaults });
    expect(chat).toMatchObject({ calls: 5, rows: 1 });
    expect(episodeLimits({ ...base, scaffold: SCAFFOLDS.strata.defaults })).toMatchObject({
      calls: 6,
      rows: 6,
    });
    const memory = episodeLimits({ ...base, scaffold: SCAFFOLDS['working-memory'].defaults });
    expect(memory).toMatchObject({ calls: 10, rows: 10 });
  });
});

describe('the most tokens', () => {
  it('are all turns at full length, and every row in every pass', () => {
    expect(mostTokens(base)).toEqual({
      training: {
        prefilled: 800 * 5 * 100,
        reused: 0,
        sampled: 800 * 5 * 10,
        trained: 800 * 2 * 5 * 110,
      },
      evaluation: { ...NOTHING, prefilled: 200 * 500, sampled: 200 * 50 },
      probe: { ...NOTHING, prefilled: 60 * 500, sampled: 60 * 50 },
    });
  });

  it('include groups that are sampled until enough of them teach', () => {
    const { verify } = DAPO_PRESETS;
    const rollout = { ...verify.rollout, groups: 2 };
    const sampling = (batchGroups: number, maxBatches: number): DapoConfig => ({
      ...verify,
      rollout,
      sampling: { ...verify.sampling, batchGroups, maxBatches },
    });
    const often = mostTokens(sampling(3, 4))?.training;
    const once = mostTokens(sampling(2, 1))?.training;
    expect(mostSamplings(sampling(3, 4))).toBe(6);
    expect(often?.sampled).toBe(6 * (once?.sampled ?? NaN));
    expect(often?.trained).toBe(once?.trained);
    expect(mostSamplings(base)).toBe(1);
  });

  it('include what the base scores for a KL term', () => {
    const withReference: GrpoConfig = { ...base, update: { ...base.update, klCoef: 0.001 } };
    expect(mostTokens(withReference)?.training.prefilled).toBe(400_000 + 880_000);
  });
});

describe('tokens scaled from a finished run', () => {
  const sum = (name: string, tokens: number): SeriesSum => ({
    name,
    sum: tokens,
    overwritten: 0,
    count: 1,
    lastStep: 1,
    position: 1,
  });
  /** One step of one group: 8 episodes, 120 evaluated, 30 of the probe. */
  const config: GrpoConfig = {
    ...base,
    steps: 1,
    rollout: { ...base.rollout, groups: 1 },
    update: { ...base.update, epochs: 1 },
    evaluation: { ...base.evaluation, everySteps: 1 },
  };
  const sums = [
    sum('tokens/prefilled', 1600),
    sum('tokens/reused', 800),
    sum('tokens/sampled', 400),
    sum('tokens/trained', 2400),
    sum('tokens/evaluation/prefilled', 12_000),
    sum('tokens/evaluation/reused', 0),
    sum('tokens/evaluation/sampled', 6000),
    sum('tokens/probe/prefilled', 3000),
    sum('tokens/probe/reused', 300),
    sum('tokens/probe/sampled', 600),
  ];

  it('grow with episodes, and trained ones with passes', () => {
    expect(plannedEpisodes(config)).toEqual({ training: 8, evaluation: 120, probe: 30 });
    expect(scaledTokens(base, { config, sums })).toEqual({
      training: { prefilled: 160_000, reused: 80_000, sampled: 40_000, trained: 480_000 },
      evaluation: { prefilled: 20_000, reused: 0, sampled: 10_000, trained: 0 },
      probe: { prefilled: 6000, reused: 600, sampled: 1200, trained: 0 },
    });
  });

  it('serve a preset by its verify', () => {
    const { demo, verify } = GRPO_PRESETS;
    const scaled = scaledTokens(demo, { config: verify, sums });
    const perEpisode = 400 / (plannedEpisodes(verify)?.training ?? NaN);
    expect(scaled?.training.sampled).toBeCloseTo(perEpisode * (plannedEpisodes(demo)?.training ?? NaN), 6);
  });

  it('are none where the run was of another setup or left something uncounted', () => {
    const growing = { ...base, horizon: { stages: [{ maxTurns: 2 }, { maxTurns: 5 }], stageSteps: 10 } };
    expect(scaledTokens(growing, { config, sums })).toBeNull();
    const longer = { ...config, rollout: { ...config.rollout, maxReplyTokens: 11 } };
    expect(scaledTokens(base, { config: longer, sums })).toBeNull();
    expect(scaledTokens(base, { config, sums: sums.slice(0, -1) })).toBeNull();
    const silent = sums.filter(({ name }) => !name.endsWith('/reused'));
    expect(scaledTokens(base, { config, sums: silent })?.training.reused).toBeNull();
  });

  it('leave out what a repeated step used twice', () => {
    const [first, ...rest] = sums;
    const repeated = first ? [{ ...first, sum: 2000, overwritten: 400 }, ...rest] : [];
    expect(scaledTokens(base, { config, sums: repeated })?.training.prefilled).toBe(160_000);
  });

  it('come with the time, of training and of evaluations with probes', () => {
    const times = [sum('time/rollout', 3), sum('time/train', 5), sum('time/evaluation', 15)];
    // 8 s for 8 of 800 episodes, 15 s for 150 of 260.
    expect(scaledSeconds(base, { config, sums: times })).toBeCloseTo(800 + 26, 6);
    expect(scaledSeconds(base, { config, sums })).toBeNull();
    const longer = { ...config, rollout: { ...config.rollout, maxReplyTokens: 11 } };
    expect(scaledSeconds(base, { config: longer, sums: times })).toBeNull();
  });
});
