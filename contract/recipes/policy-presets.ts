import { ALFWORLD_DEFAULTS } from '../environments/alfworld';
import { BABYAI_TEXT_DEFAULTS } from '../environments/babyai-text';
import { BABYAI_DEFAULTS } from '../environments/babyai';
import type { GrpoConfig } from './grpo';
import type { PolicyUpdate } from './policy-settings';

/** What recipes that learn from groups of episodes have in common: the values their presets start from. */
export type PolicySettings = Omit<GrpoConfig, 'horizon'>;

export const DEMO_SETTINGS: PolicySettings = {
  seed: 1,
  steps: 160,
  engine: { kind: 'onnx', model: 'models/babyai-tiny', children: 2, microBatchTokens: 2048, lora: null },
  environment: BABYAI_DEFAULTS,
  scaffold: { id: 'recent-actions', recentActions: 4 },
  rollout: { groups: 16, groupSize: 8, temperature: 1, maxReplyTokens: 16, maxPromptTokens: 2048 },
  reward: { outcome: 'environment', scale: 1, invalidActionPenalty: 0.1, formatPenalty: 0, formatReward: 0 },
  advantage: { scale: 'none', over: 'trajectories', dropDegenerateGroups: true, permute: false },
  update: {
    learningRate: 1.5e-4,
    warmupSteps: 5,
    decaySteps: 160,
    finalRateFraction: 0.1,
    epochs: 1,
    minibatches: 2,
    minibatchRows: null,
    loss: 'ppo',
    clipLow: 0.2,
    clipHigh: 0.28,
    dualClip: null,
    entropyCoef: 0,
    klCoef: 0,
    aggregation: 'token-mean',
    lossScaleFactor: null,
    beta1: 0.9,
    beta2: 0.95,
    eps: 1e-8,
    weightDecay: 0,
    gradClipNorm: 1,
  },
  evaluation: {
    everySteps: 10,
    splits: [{ split: 'valid_seen', tasks: 210 }],
    finalSplits: [
      { split: 'valid_seen', tasks: 420 },
      { split: 'valid_unseen', tasks: 120 },
    ],
    decodings: ['greedy', 'sampled'],
    temperature: 1,
    topK: 0,
    topP: 1,
    controls: true,
  },
  probe: { tasks: 7, samples: 8 },
  checkpoint: { everySteps: 10 },
  recording: { trainGroups: 4 },
  cost: null,
  rules: null,
};

/** What every recipe's `verify` does: one step and a short evaluation. Does it run at all, and what does a step cost. */
export const VERIFY = {
  steps: 1,
  evaluation: {
    ...DEMO_SETTINGS.evaluation,
    everySteps: 1,
    splits: [{ split: 'valid_seen', tasks: 14 }],
    finalSplits: [
      { split: 'valid_seen', tasks: 14 },
      { split: 'valid_unseen', tasks: 6 },
    ],
  },
  probe: { tasks: 2, samples: 2 },
  checkpoint: { everySteps: 1 },
} satisfies Partial<PolicySettings>;

/** verl's defaults, which AgentGym-RL shares. */
export const VERL_UPDATE: PolicyUpdate = {
  ...DEMO_SETTINGS.update,
  learningRate: 1e-6,
  warmupSteps: 0,
  decaySteps: 0,
  minibatches: 1,
  clipLow: 0.2,
  clipHigh: 0.2,
  beta2: 0.999,
  weightDecay: 0.01,
};

/** AgentGym-RL on BabyAI with Qwen2.5-1.5B, as its report has it. */
export const AGENTGYM_RL: PolicySettings = {
  ...DEMO_SETTINGS,
  steps: 31,
  engine: {
    kind: 'tinker',
    model: 'Qwen/Qwen2.5-1.5B-Instruct',
    children: 1,
    microBatchTokens: 8192,
    lora: null,
  },
  environment: { ...BABYAI_DEFAULTS, maxTurns: 20, compat: 'agentgym' },
  scaffold: { id: 'react', rules: 'babyai', parser: 'one-action', actionList: 'every-turn' },
  rollout: { groups: 1, groupSize: 4, temperature: 1, maxReplyTokens: 200, maxPromptTokens: 5120 },
  reward: { ...DEMO_SETTINGS.reward, invalidActionPenalty: 0 },
  advantage: { ...DEMO_SETTINGS.advantage, scale: 'std', dropDegenerateGroups: false },
  update: { ...VERL_UPDATE, entropyCoef: 0.001, klCoef: 0.001, aggregation: 'seq-mean-token-mean' },
  evaluation: { ...DEMO_SETTINGS.evaluation, controls: false },
  checkpoint: { everySteps: 25 },
  recording: { trainGroups: 1 },
};

/** verl-agent's `run_alfworld.sh` with its GRPO: every turn a row, 10 for a win, statistics over rows. */
export const VERL_AGENT_ALFWORLD: PolicySettings = {
  ...DEMO_SETTINGS,
  steps: 150,
  engine: AGENTGYM_RL.engine,
  environment: ALFWORLD_DEFAULTS,
  scaffold: { id: 'verl-agent', historyTurns: 2 },
  rollout: { groups: 16, groupSize: 8, temperature: 1, maxReplyTokens: 512, maxPromptTokens: 2048 },
  reward: {
    outcome: 'won',
    scale: 10,
    invalidActionPenalty: 0,
    formatPenalty: 0.1,
    formatReward: 0,
  },
  advantage: { scale: 'std', over: 'turns', dropDegenerateGroups: false, permute: false },
  update: { ...VERL_UPDATE, minibatchRows: 256, entropyCoef: 0.001, klCoef: 0.01 },
  evaluation: {
    ...DEMO_SETTINGS.evaluation,
    everySteps: 5,
    splits: [{ split: 'valid_seen', tasks: 128 }],
    finalSplits: [{ split: 'valid_seen', tasks: 128 }],
    decodings: ['sampled'],
    temperature: 0.4,
    controls: false,
  },
  probe: { tasks: 6, samples: 2 },
};

/**
 * The BabyAI-Text line's first runs: groups of 8, tool calls, 50 tasks to be judged on. Learning rate, clip and batch
 * are not published; they stand as verl's defaults.
 */
export const BABYAI_TEXT_50: PolicySettings = {
  ...DEMO_SETTINGS,
  steps: 60,
  engine: { kind: 'tinker', model: 'Qwen/Qwen3-14B', children: 1, microBatchTokens: 16_384, lora: null },
  environment: { ...BABYAI_TEXT_DEFAULTS, maxTurns: 20, validSeen: 'babyai-text-50' },
  scaffold: { id: 'tool-call' },
  rollout: { groups: 16, groupSize: 8, temperature: 1, maxReplyTokens: 4096, maxPromptTokens: 32_768 },
  reward: {
    ...DEMO_SETTINGS.reward,
    outcome: 'won-or-lost',
    invalidActionPenalty: 0,
    formatReward: 0.5,
  },
  advantage: { ...DEMO_SETTINGS.advantage, scale: 'std', dropDegenerateGroups: false },
  update: VERL_UPDATE,
  evaluation: {
    ...DEMO_SETTINGS.evaluation,
    everySteps: 10,
    splits: [{ split: 'valid_seen', tasks: 50 }],
    finalSplits: [{ split: 'valid_seen', tasks: 50 }],
    decodings: ['sampled'],
    controls: false,
  },
  probe: { tasks: 6, samples: 2 },
};
