import type { DapoConfig } from './dapo';
import { BABYAI_TEXT_50, DEMO_SETTINGS, VERIFY, VERL_AGENT_ALFWORLD } from './policy-presets';

const small: DapoConfig = {
  ...DEMO_SETTINGS,
  steps: 40,
  sampling: {
    batchGroups: 16,
    maxBatches: 3,
    keep: 'unequal',
    whenShort: 'train-on-kept',
    balanceTaskTypes: true,
  },
  reward: { ...DEMO_SETTINGS.reward, overlong: null },
  advantage: { scale: 'std', permute: false },
  update: { ...DEMO_SETTINGS.update, decaySteps: 40 },
};

/** Named values of the recipe; see `docs/recipes/dapo.md`. */
export const DAPO_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    rollout: { ...small.rollout, groups: 1 },
    sampling: { ...small.sampling, batchGroups: 2, maxBatches: 2 },
    update: { ...small.update, minibatches: 1 },
  },
  /**
   * The BabyAI-Text line's v1.2: task types in equal shares, more sampled, groups without variance dropped. How much more is not
   * published; nor are learning rate, clip and batch, which stand as verl's defaults.
   */
  published: {
    ...BABYAI_TEXT_50,
    steps: 130,
    sampling: {
      batchGroups: 32,
      maxBatches: 10,
      keep: 'unequal',
      whenShort: 'train-on-kept',
      balanceTaskTypes: true,
    },
    reward: { ...BABYAI_TEXT_50.reward, overlong: null },
    advantage: { scale: 'std', permute: false },
  },
  /** verl-agent's `run_alfworld.sh` with DAPO: clip 0.2 / 0.28, up to 10 batches, the KL term still on. */
  'verl-agent-alfworld': {
    ...VERL_AGENT_ALFWORLD,
    sampling: {
      batchGroups: 16,
      maxBatches: 10,
      keep: 'unequal',
      whenShort: 'keep-all',
      balanceTaskTypes: false,
    },
    reward: { ...VERL_AGENT_ALFWORLD.reward, overlong: null },
    advantage: { scale: 'std', permute: false },
    update: { ...VERL_AGENT_ALFWORLD.update, clipHigh: 0.28 },
  },
} satisfies Record<string, DapoConfig>;
