import { BABYAI_TEXT_50, DEMO_SETTINGS, VERIFY } from './policy-presets';
import type { JudgeMix, JudgeSettings, TurnJudgeConfig } from './turn-judge';

/** The published mixes of outcome, judge and format. */
export const JUDGE_MIXES = {
  'v2.1': {
    outcomeWeight: 0.5,
    successReward: 1,
    failureReward: -1,
    judgeWeight: 0.5,
    format: 'strict',
    formatReward: 0.5,
  },
  'v2.2': {
    outcomeWeight: 0,
    successReward: 1,
    failureReward: -1,
    judgeWeight: 1,
    format: 'strict',
    formatReward: 0.5,
  },
  'v2.3': {
    outcomeWeight: 1,
    successReward: 10,
    failureReward: 0,
    judgeWeight: 0,
    format: 'soft',
    formatReward: 0.1,
  },
} as const satisfies Record<string, JudgeMix>;

const NO_JUDGE: JudgeSettings = {
  turns: 4,
  source: 'none',
  endpoint: null,
  temperature: 0,
  maxReplyTokens: 1024,
  tries: 3,
  windowSteps: 200,
};

const demo = DEMO_SETTINGS;

/** The demo's world with the expert as judge. */
const small: TurnJudgeConfig = {
  ...demo,
  steps: 40,
  rollout: { ...demo.rollout, groups: 48, groupSize: 1 },
  judge: { ...NO_JUDGE, source: 'expert', windowSteps: 10 },
  reward: JUDGE_MIXES['v2.2'],
  advantage: { permute: false },
  update: { ...demo.update, decaySteps: 40 },
};

/**
 * The BabyAI-Text line's second part. Its tables count 50,000 to 66,000 judged turns in 200 steps, four a trajectory, which
 * are 64 trajectories a step. Learning rate, clip, minibatches and the judge's prompt and sampling are not published; the
 * first stand as verl's defaults. The source names the judge's model and no address.
 */
const published: TurnJudgeConfig = {
  ...BABYAI_TEXT_50,
  steps: 1000,
  scaffold: { id: 'history-10' },
  rollout: { ...BABYAI_TEXT_50.rollout, groups: 64, groupSize: 1 },
  judge: {
    ...NO_JUDGE,
    source: 'endpoint',
    endpoint: {
      address: 'http://127.0.0.1:8000/v1',
      model: 'glm-5.1',
      keyVariable: null,
      concurrency: 16,
      timeoutS: 120,
      triesBeforePause: 4,
      prices: null,
    },
  },
  reward: JUDGE_MIXES['v2.2'],
  advantage: { permute: false },
};

/** Named values of the recipe; see `docs/recipes/turn-judge.md`. */
export const TURN_JUDGE_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    rollout: { ...small.rollout, groups: 1 },
    judge: { ...small.judge, windowSteps: 1 },
    update: { ...small.update, minibatches: 1 },
  },
  'published-v2.1': { ...published, reward: JUDGE_MIXES['v2.1'] },
  'published-v2.2': published,
  'published-v2.3': {
    ...published,
    steps: 20,
    environment: { ...published.environment, maxTurns: 30 },
    judge: NO_JUDGE,
    reward: JUDGE_MIXES['v2.3'],
  },
} satisfies Record<string, TurnJudgeConfig>;
