import { DEMO_SETTINGS, VERIFY, VERL_AGENT_ALFWORLD } from './policy-presets';
import type { SdarConfig } from './sdar';

/** The demo's world; the skill is written in phrases that the tiny model knows. */
const small: SdarConfig = {
  ...DEMO_SETTINGS,
  steps: 40,
  advantage: { scale: 'none', over: 'trajectories', permute: false },
  distillation: {
    coefficient: 0.01,
    sharpness: 5,
    skills: [{ taskType: '', text: 'Thought: I do not see it, so I look around.' }],
  },
  update: { ...DEMO_SETTINGS.update, decaySteps: 40 },
};

/** Named values of the recipe; see `docs/recipes/sdar.md`. */
export const SDAR_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    rollout: { ...small.rollout, groups: 1 },
    update: { ...small.update, minibatches: 1 },
  },
  /**
   * SDAR's scripts on ALFWorld, which start from verl-agent's: coefficient 0.01, sharpness 5. Its skills are files of its own; the
   * preset has a place for them and none of their text.
   */
  published: {
    ...VERL_AGENT_ALFWORLD,
    advantage: { scale: 'std', over: 'turns', permute: false },
    distillation: { coefficient: 0.01, sharpness: 5, skills: [] },
  },
} satisfies Record<string, SdarConfig>;
