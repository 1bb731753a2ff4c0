import { ALFWORLD_DEFAULTS } from '../environments/alfworld';
import type { AlfworldLabConfig } from './alfworld-lab';
import { DEMO_SETTINGS, VERIFY } from './policy-presets';

/** One step a batch, ratio bounds 0.8 and 1.2, summed over tokens: what the source states of its update. */
const LAB_UPDATE: AlfworldLabConfig['update'] = {
  ...DEMO_SETTINGS.update,
  learningRate: 1e-6,
  warmupSteps: 0,
  decaySteps: 0,
  minibatches: 1,
  clipLow: 0.2,
  clipHigh: 0.2,
  aggregation: 'token-sum',
};

/** BabyAI in place of ALFWorld, and recent actions in place of the tool's chat, which no model of this size can write. */
const small: AlfworldLabConfig = {
  ...DEMO_SETTINGS,
  steps: 40,
  engine: { ...DEMO_SETTINGS.engine, lora: { rank: 32, alpha: 32, targets: ['attention', 'mlp'] } },
  rollout: { ...DEMO_SETTINGS.rollout, seeds: 'every-step' },
  reward: { invalidActionPenalty: 0.1 },
  advantage: { permute: false },
  update: { ...LAB_UPDATE, learningRate: 2e-3, warmupSteps: 5, decaySteps: 40 },
};

/** Named values of the recipe; see `docs/recipes/alfworld-lab.md`. */
export const ALFWORLD_LAB_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    rollout: { ...small.rollout, groups: 1 },
  },
  /** agentic-rl-lab's chapter 08: Qwen3.5-4B with LoRA on ALFWorld, 80 updates. */
  published: {
    ...small,
    seed: 42,
    steps: 80,
    engine: {
      kind: 'tinker',
      model: 'Qwen/Qwen3.5-4B',
      children: 1,
      microBatchTokens: 16_384,
      thinking: 'off',
      lora: { rank: 32, alpha: 32, targets: ['attention', 'mlp'] },
    },
    environment: ALFWORLD_DEFAULTS,
    scaffold: { id: 'lab-tool', actionList: true },
    rollout: {
      groups: 8,
      groupSize: 8,
      temperature: 1,
      maxReplyTokens: 2048,
      maxPromptTokens: 11_999,
      maxTrajectoryTokens: 12_000,
      seeds: 'same',
    },
    update: LAB_UPDATE,
    evaluation: {
      ...DEMO_SETTINGS.evaluation,
      everySteps: 40,
      splits: [
        { split: 'valid_seen', tasks: 140 },
        { split: 'valid_unseen', tasks: 134 },
      ],
      finalSplits: [
        { split: 'valid_seen', tasks: 140 },
        { split: 'valid_unseen', tasks: 134 },
      ],
      decodings: ['sampled'],
      temperature: 0.01,
      controls: false,
    },
    probe: { tasks: 6, samples: 2 },
    checkpoint: { everySteps: 20 },
  },
} satisfies Record<string, AlfworldLabConfig>;
