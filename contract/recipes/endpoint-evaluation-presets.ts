import type { EndpointEvaluationConfig } from './endpoint-evaluation';
import { BABYAI_TEXT_50 } from './policy-presets';

const { seed, environment, probe, checkpoint, cost } = BABYAI_TEXT_50;
const TASKS = [{ split: 'valid_seen' as const, tasks: 50 }];

/**
 * The published table of closed models on BabyAI-Text: 50 tasks, glm-5.1. Sampling and longest reply are not published;
 * temperature 1 stands for the first.
 */
const published: EndpointEvaluationConfig = {
  seed,
  steps: 1,
  engine: { kind: 'none', model: 'none', children: 1, microBatchTokens: 128, lora: null },
  environment: { ...environment, maxTurns: 20 },
  scaffold: { id: 'working-memory', historyTurns: 10 },
  rollout: { temperature: 1, maxReplyTokens: 4096, maxPromptTokens: 1_000_000 },
  evaluation: {
    everySteps: 1,
    splits: TASKS,
    finalSplits: TASKS,
    decodings: ['sampled'],
    temperature: 1,
    topK: 0,
    topP: 1,
    controls: false,
  },
  probe: { ...probe, tasks: 0 },
  checkpoint,
  cost,
  rules: null,
  endpoint: {
    address: 'http://127.0.0.1:8000/v1',
    model: 'glm-5.1',
    keyVariable: null,
    concurrency: 4,
    timeoutS: 300,
    triesBeforePause: 4,
    prices: null,
  },
  reasoningReplay: false,
};

const ONE_TASK = [{ split: 'valid_seen' as const, tasks: 1 }];

/** Named values of the recipe; see `docs/recipes/endpoint-evaluation.md`. */
export const ENDPOINT_EVALUATION_PRESETS = {
  /** One task, ten turns. */
  verify: {
    ...published,
    environment: { ...published.environment, maxTurns: 10 },
    evaluation: { ...published.evaluation, splits: ONE_TASK, finalSplits: ONE_TASK },
  },
  'published-two-calls': published,
  'published-two-calls-30': { ...published, environment: { ...published.environment, maxTurns: 30 } },
  'published-context': { ...published, scaffold: { id: 'history-10' } },
  'published-agentic': { ...published, scaffold: { id: 'tool-call', historyTurns: 10 } },
  'published-agentic-reasoning': {
    ...published,
    scaffold: { id: 'tool-call', historyTurns: 10 },
    reasoningReplay: true,
  },
  'published-single-call': { ...published, scaffold: { id: 'memory-action', historyTurns: 10 } },
} satisfies Record<string, EndpointEvaluationConfig>;
