import { ALFWORLD_DEFAULTS } from '../environments/alfworld';
import { AGENTGYM_RL, DEMO_SETTINGS, VERIFY, VERL_UPDATE } from './policy-presets';
import type { StrataConfig } from './strata';

/** Chosen among by a model that is too small to write its own: phrases that it knows from its demonstrations. */
const LISTED_STRATEGIES = [
  'I do not see it, so I look around.',
  'I do not see it, so I try a door.',
  'I need the key first.',
  'It should be near.',
  'My hands are full.',
  'I am not sure.',
];

const small: StrataConfig = {
  ...DEMO_SETTINGS,
  steps: 40,
  scaffold: {
    id: 'listed-strategies',
    recentActions: 4,
    strategies: LISTED_STRATEGIES.map((strategy) => ({ strategy })),
  },
  rollout: { ...DEMO_SETTINGS.rollout, groups: 8, groupSize: 16 },
  strategies: { count: 4, oversampling: 4, selection: 'farthest', topFraction: 0.5 },
  judgment: null,
  reward: { ...DEMO_SETTINGS.reward, lengthPenalty: null },
  advantage: { scale: 'std', dropNegligible: true, permute: false },
  update: { ...DEMO_SETTINGS.update, decaySteps: 40, aggregation: 'seq-mean-token-sum' },
};

/** Named values of the recipe; see `docs/recipes/strata.md`. */
export const STRATA_PRESETS = {
  small,
  verify: {
    ...small,
    ...VERIFY,
    rollout: { ...small.rollout, groups: 1 },
    update: { ...small.update, minibatches: 1 },
  },
  /** The published run on ALFWorld with Qwen2.5-1.5B. Its rewards of length and format have no public formula and are off. */
  published: {
    ...small,
    steps: 150,
    engine: AGENTGYM_RL.engine,
    environment: ALFWORLD_DEFAULTS,
    scaffold: { id: 'strata', historyTurns: 2 },
    rollout: { groups: 16, groupSize: 32, temperature: 1, maxReplyTokens: 1024, maxPromptTokens: 7168 },
    strategies: { count: 4, oversampling: 8, selection: 'farthest', topFraction: 0.5 },
    judgment: { penalty: 0.1 },
    reward: { ...small.reward, outcome: 'won', invalidActionPenalty: 0 },
    advantage: { scale: 'std', dropNegligible: false, permute: false },
    update: {
      ...VERL_UPDATE,
      minibatchRows: 1024,
      clipHigh: 0.28,
      aggregation: 'seq-mean-token-sum',
    },
    evaluation: {
      ...DEMO_SETTINGS.evaluation,
      everySteps: 10,
      splits: [{ split: 'valid_seen', tasks: 140 }],
      finalSplits: [{ split: 'valid_seen', tasks: 140 }],
      decodings: ['sampled'],
      temperature: 0.7,
      topK: 20,
      topP: 0.8,
      controls: false,
    },
    probe: { tasks: 6, samples: 2 },
    checkpoint: { everySteps: 10 },
    recording: { trainGroups: 1 },
  },
} satisfies Record<string, StrataConfig>;
