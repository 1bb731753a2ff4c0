import { BABYAI_TEXT_50, DEMO_SETTINGS, VERIFY } from './policy-presets';
import type { RegroupConfig } from './regroup';

const small: RegroupConfig = {
  ...DEMO_SETTINGS,
  steps: 40,
  fork: { turn: 'random' },
  advantage: { scale: 'none', dropDegenerateGroups: true, permute: false },
  update: { ...DEMO_SETTINGS.update, decaySteps: 40 },
};

/** Named values of the recipe; see `docs/recipes/regroup.md`. */
export const REGROUP_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    rollout: { ...small.rollout, groups: 1 },
    update: { ...small.update, minibatches: 1 },
  },
  /** The BabyAI-Text line's v1.3, which states groups from a middle turn and GRPO, and that it failed; the rest is its v1.1's. */
  published: {
    ...BABYAI_TEXT_50,
    fork: { turn: 'random' },
    advantage: { scale: 'std', dropDegenerateGroups: false, permute: false },
  },
} satisfies Record<string, RegroupConfig>;
