import { BABYAI_DEFAULTS } from '../environments/babyai';
import { BABYAI_TEXT_DEFAULTS } from '../environments/babyai-text';
import { HOUSEHOLD_DEFAULTS } from '../environments/household';
import type { GrpoConfig } from './grpo';

const demo: GrpoConfig = {
  seed: 1,
  steps: 160,
  engine: { kind: 'onnx', model: 'models/babyai-tiny', children: 2, microBatchTokens: 2048, lora: null },
  environment: BABYAI_DEFAULTS,
  scaffold: { id: 'recent-actions', recentActions: 4 },
  rollout: { groups: 16, groupSize: 8, temperature: 1, maxReplyTokens: 16, maxPromptTokens: 2048 },
  reward: { invalidActionPenalty: 0.1 },
  advantage: { scale: 'none', dropDegenerateGroups: true, permute: false },
  update: {
    learningRate: 1.5e-4,
    warmupSteps: 5,
    decaySteps: 160,
    finalRateFraction: 0.1,
    epochs: 1,
    minibatches: 2,
    clipLow: 0.2,
    clipHigh: 0.28,
    entropyCoef: 0,
    klCoef: 0,
    aggregation: 'token-mean',
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
};

/** verl's defaults, which AgentGym-RL shares. */
const verlUpdate: GrpoConfig['update'] = {
  ...demo.update,
  learningRate: 1e-6,
  warmupSteps: 0,
  decaySteps: 0,
  minibatches: 1,
  clipLow: 0.2,
  clipHigh: 0.2,
  beta2: 0.999,
  weightDecay: 0.01,
};

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
  /** One update on one task, ten turns: does it run at all, and what does a step cost. */
  verify: {
    ...demo,
    steps: 1,
    rollout: { ...demo.rollout, groups: 1 },
    update: { ...demo.update, minibatches: 1 },
    evaluation: {
      ...demo.evaluation,
      everySteps: 1,
      splits: [{ split: 'valid_seen', tasks: 14 }],
      finalSplits: [
        { split: 'valid_seen', tasks: 14 },
        { split: 'valid_unseen', tasks: 6 },
      ],
    },
    probe: { tasks: 2, samples: 2 },
    checkpoint: { everySteps: 1 },
  },
  published: {
    ...demo,
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
    reward: { invalidActionPenalty: 0 },
    advantage: { scale: 'std', dropDegenerateGroups: false, permute: false },
    update: { ...verlUpdate, entropyCoef: 0.001, klCoef: 0.001, aggregation: 'seq-mean-token-mean' },
    evaluation: { ...demo.evaluation, controls: false },
    checkpoint: { everySteps: 25 },
    recording: { trainGroups: 1 },
  },
  /**
   * The BabyAI-Text line's first runs: groups of 8, tool calls, 50 tasks to be judged on. Learning rate, clip and batch
   * are not published; they stand as verl's defaults.
   */
  'babyai-text-50': {
    ...demo,
    steps: 60,
    engine: { kind: 'tinker', model: 'Qwen/Qwen3-14B', children: 1, microBatchTokens: 16_384, lora: null },
    environment: { ...BABYAI_TEXT_DEFAULTS, maxTurns: 20, validSeen: 'babyai-text-50' },
    scaffold: { id: 'tool-call' },
    rollout: { groups: 16, groupSize: 8, temperature: 1, maxReplyTokens: 4096, maxPromptTokens: 32_768 },
    reward: { invalidActionPenalty: 0 },
    advantage: { scale: 'std', dropDegenerateGroups: false, permute: false },
    update: verlUpdate,
    evaluation: {
      ...demo.evaluation,
      everySteps: 10,
      splits: [{ split: 'valid_seen', tasks: 50 }],
      finalSplits: [{ split: 'valid_seen', tasks: 50 }],
      decodings: ['sampled'],
      controls: false,
    },
    probe: { tasks: 6, samples: 2 },
  },
} satisfies Record<string, GrpoConfig>;
