import type { OpdConfig } from './opd';
import { BABYAI_TEXT_50, DEMO_SETTINGS, VERIFY } from './policy-presets';

/** The demo's model taught by what GRPO made of it. */
const small: OpdConfig = {
  seed: 1,
  steps: 40,
  engine: DEMO_SETTINGS.engine,
  environment: DEMO_SETTINGS.environment,
  scaffold: DEMO_SETTINGS.scaffold,
  rollout: { ...DEMO_SETTINGS.rollout, groups: 64, groupSize: 1 },
  teacher: {
    kind: 'onnx',
    model: 'models/babyai-tiny-teacher',
    children: 2,
    endpoint: null,
    scoring: 'prompt_logprobs',
    prices: null,
  },
  distillation: { coefficient: 1, discount: 0, permute: false },
  reward: { formatReward: 0 },
  diagnosis: {
    replies: 100,
    depths: [{ share: 0.2 }, { share: 0.5 }, { share: 0.8 }],
    lengths: [{ tokens: 8 }, { tokens: 12 }],
  },
  update: { ...DEMO_SETTINGS.update, loss: 'importance_sampling', decaySteps: 40 },
  evaluation: DEMO_SETTINGS.evaluation,
  probe: DEMO_SETTINGS.probe,
  checkpoint: DEMO_SETTINGS.checkpoint,
  recording: DEMO_SETTINGS.recording,
  cost: null,
  rules: null,
};

/**
 * The BabyAI-Text line's third part: a long-reasoning teacher (v3.1.1), the same with a format reward (v3.1.2) and a teacher that
 * reinforcement learning made terse (v3.2). Its optimizer and batch are not published; they stand as agentic-rl-lab's `02-opd` has
 * them, the rest as the line's first runs. A teacher's checkpoint has to be named: none is public.
 */
const published: OpdConfig = {
  ...small,
  steps: 510,
  engine: {
    ...BABYAI_TEXT_50.engine,
    lora: { rank: 32, alpha: 32, targets: ['attention', 'mlp', 'unembed'] },
  },
  environment: BABYAI_TEXT_50.environment,
  scaffold: { id: 'history-10' },
  rollout: { ...BABYAI_TEXT_50.rollout, groups: 64, groupSize: 1 },
  teacher: { ...small.teacher, kind: 'tinker', model: 'babyai-text-v2.2.2', children: 1 },
  diagnosis: { replies: 100, depths: [{ share: 0.8 }], lengths: [{ tokens: 4096 }] },
  update: {
    ...small.update,
    learningRate: 4e-5,
    warmupSteps: 0,
    decaySteps: 0,
    minibatches: 1,
    aggregation: 'token-sum',
  },
  evaluation: BABYAI_TEXT_50.evaluation,
  probe: BABYAI_TEXT_50.probe,
};

/** Named values of the recipe; see `docs/recipes/opd.md`. */
export const OPD_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    rollout: { ...small.rollout, groups: 1 },
    diagnosis: { ...small.diagnosis, replies: 4 },
    update: { ...small.update, minibatches: 1 },
  },
  published,
  'published-v3.1.1': {
    ...published,
    steps: 80,
    environment: { ...published.environment, maxTurns: 30 },
    scaffold: { id: 'working-memory', historyTurns: 10 },
    teacher: { ...published.teacher, model: 'babyai-text-v3.1' },
  },
  'published-v3.1.2': {
    ...published,
    steps: 80,
    environment: { ...published.environment, maxTurns: 30 },
    scaffold: { id: 'working-memory', historyTurns: 10 },
    teacher: { ...published.teacher, model: 'babyai-text-v3.1' },
    reward: { formatReward: 0.5 },
  },
} satisfies Record<string, OpdConfig>;
