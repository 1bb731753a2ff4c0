/** The grey line behind the evaluations. */
export const TRAINING_SUCCESS = 'rollout/success_rate';

/** What a reader of RL curves looks at first, in that order. */
export const OVERVIEW = [
  'reward/mean',
  'rollout/invalid_action_rate',
  'actor/entropy',
  'actor/ppo_kl',
  'actor/grad_norm',
  'advantage/degenerate_group_rate',
  'rollout/reply_tokens_mean',
  'rollout/turns_mean',
  'actor/clip_fraction',
  'rollout/format_rate',
  'rollout/admissible_rate',
] as const;

/** Seconds of a step but its evaluation. */
export const TIME_SERIES = ['time/rollout', 'time/train'] as const;

/** What the overview draws. */
export const OVERVIEW_SERIES: readonly string[] = [TRAINING_SUCCESS, ...OVERVIEW, ...TIME_SERIES];

/** Charts beside that of success which come with the page. */
const OPENING_CHARTS = 1;
/** What the page comes with, as coarse as a chart of a few hundred pixels shows it; the rest and finer curves follow. */
export const OPENING_SERIES: readonly string[] = [TRAINING_SUCCESS, ...OVERVIEW.slice(0, OPENING_CHARTS)];
export const OPENING_BUCKETS = 200;
