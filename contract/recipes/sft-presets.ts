import { BABYAI_TEXT_50, DEMO_SETTINGS, VERIFY } from './policy-presets';
import type { SftConfig } from './sft';

/** The demo's world, taught by its expert. */
const small: SftConfig = {
  seed: 1,
  steps: 40,
  engine: DEMO_SETTINGS.engine,
  environment: DEMO_SETTINGS.environment,
  scaffold: DEMO_SETTINGS.scaffold,
  rollout: { temperature: 1, maxReplyTokens: 24, maxPromptTokens: 2048 },
  demonstrations: { source: 'expert', trajectories: null, perStep: 32, permute: false },
  update: {
    learningRate: 3e-4,
    warmupSteps: 5,
    decaySteps: 40,
    finalRateFraction: 0.1,
    minibatches: 2,
    beta1: 0.9,
    beta2: 0.95,
    eps: 1e-8,
    weightDecay: 0,
    gradClipNorm: 1,
  },
  evaluation: DEMO_SETTINGS.evaluation,
  probe: DEMO_SETTINGS.probe,
  checkpoint: DEMO_SETTINGS.checkpoint,
  recording: { trainGroups: 4 },
  cost: null,
  rules: null,
};

/** Named values of the recipe; see `docs/recipes/sft.md`. */
export const SFT_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    demonstrations: { ...small.demonstrations, perStep: 4 },
    update: { ...small.update, minibatches: 1 },
  },
  /**
   * The BabyAI-Text line's v3.1 teacher: Qwen3-14B on a larger model's won traces of two calls a turn, up to 30 turns, the
   * checkpoint of update 554. Learning rate, batch and number of traces are not published; the runs whose traces are imitated have
   * to be named.
   */
  published: {
    ...small,
    steps: 554,
    engine: BABYAI_TEXT_50.engine,
    environment: { ...BABYAI_TEXT_50.environment, maxTurns: 30 },
    scaffold: { id: 'working-memory', historyTurns: 10 },
    rollout: { temperature: 1, maxReplyTokens: 4096, maxPromptTokens: 32_768 },
    demonstrations: {
      source: 'trajectories',
      trajectories: { runs: [], outcome: 'won', taskType: null, minReward: null, limit: 20_000 },
      perStep: 32,
      permute: false,
    },
    update: { ...small.update, learningRate: 1e-5, decaySteps: 554, minibatches: 1 },
    evaluation: BABYAI_TEXT_50.evaluation,
    probe: BABYAI_TEXT_50.probe,
  },
} satisfies Record<string, SftConfig>;
