import type { GigpoConfig } from './gigpo';
import { DEMO_SETTINGS, VERIFY, VERL_AGENT_ALFWORLD } from './policy-presets';

const small: GigpoConfig = {
  ...DEMO_SETTINGS,
  steps: 40,
  advantage: { scale: 'none', stepWeight: 1, discount: 0.95, similarity: null, permute: false },
  update: { ...DEMO_SETTINGS.update, decaySteps: 40 },
};

/** Named values of the recipe; see `docs/recipes/gigpo.md`. */
export const GIGPO_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    rollout: { ...small.rollout, groups: 1 },
    update: { ...small.update, minibatches: 1 },
  },
  /** verl-agent's `run_alfworld.sh`: w = 1, discount 0.95, mean_std_norm. */
  published: {
    ...VERL_AGENT_ALFWORLD,
    advantage: { scale: 'std', stepWeight: 1, discount: 0.95, similarity: null, permute: false },
  },
} satisfies Record<string, GigpoConfig>;
