import { HOUSEHOLD_DEFAULTS } from '../environments/household';
import type { GrpoConfig } from './grpo';
import { AGENTGYM_RL, BABYAI_TEXT_50, DEMO_SETTINGS, VERIFY, VERL_AGENT_ALFWORLD } from './policy-presets';

const demo: GrpoConfig = { ...DEMO_SETTINGS, horizon: null };

/** Named values of the recipe. `published` is AgentGym-RL's; see `docs/recipes/grpo.md`. */
export const GRPO_PRESETS = {
  demo,
  /** The household from `models/household-tiny`: what two cores learn in 20 minutes. */
  small: {
    ...demo,
    steps: 120,
    engine: { ...demo.engine, model: 'models/household-tiny' },
    environment: HOUSEHOLD_DEFAULTS,
    scaffold: { id: 'recent-actions', recentActions: 16 },
    rollout: { ...demo.rollout, groups: 12 },
    update: { ...demo.update, learningRate: 3e-4, decaySteps: 120 },
    evaluation: {
      ...demo.evaluation,
      everySteps: 20,
      splits: [{ split: 'valid_seen', tasks: 120 }],
      finalSplits: [
        { split: 'valid_seen', tasks: 240 },
        { split: 'valid_unseen', tasks: 240 },
      ],
    },
    probe: { tasks: 6, samples: 8 },
  },
  verify: {
    ...demo,
    ...VERIFY,
    rollout: { ...demo.rollout, groups: 1 },
    update: { ...demo.update, minibatches: 1 },
  },
  published: { ...AGENTGYM_RL, horizon: null },
  /** AgentGym-RL's ScalingInter script: turn caps of 6, 13 and 20. It states 20 epochs, of a list whose length it does not. */
  'published-scaling-inter': {
    ...AGENTGYM_RL,
    steps: 300,
    rollout: { groups: 32, groupSize: 4, temperature: 1, maxReplyTokens: 512, maxPromptTokens: 8704 },
    horizon: { stages: [{ maxTurns: 6 }, { maxTurns: 13 }, { maxTurns: 20 }], stageSteps: 100 },
    update: { ...AGENTGYM_RL.update, minibatchRows: 32 },
  },
  'verl-agent-alfworld': { ...VERL_AGENT_ALFWORLD, horizon: null },
  'babyai-text-50': { ...BABYAI_TEXT_50, horizon: null },
} satisfies Record<string, GrpoConfig>;
