import type { RunDetail } from '@/contract/api';

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

/** What the overview of a training draws. */
export const OVERVIEW_SERIES: readonly string[] = [TRAINING_SUCCESS, ...OVERVIEW, ...TIME_SERIES];

/** Charts beside that of success which come with the page. */
const OPENING_CHARTS = 1;
/** What the page comes with, as coarse as a chart of a few hundred pixels shows it; the rest and finer curves follow. */
export const OPENING_SERIES: readonly string[] = [TRAINING_SUCCESS, ...OVERVIEW.slice(0, OPENING_CHARTS)];
export const OPENING_BUCKETS = 200;

/** Charts that an overview has room for beside that of success. */
export const OVERVIEW_CHARTS = OVERVIEW.length + 1;

/** What the overview of a run draws. */
export interface RunOverview {
  /** Series that have a chart each, in the order of the charts. */
  names: readonly string[];
  /** Whether training success stands in the chart of success. */
  hasTrainingSuccess: boolean;
  /** Whether the seconds of a step have their chart. */
  hasTime: boolean;
  /** Series that the run has and the overview has no room for. */
  left: number;
}

const OF_A_TRAINING: RunOverview = { names: OVERVIEW, hasTrainingSuccess: true, hasTime: true, left: 0 };

/**
 * The overview of a run. That of a training names what every training has, come or not; an import has what its log
 * had, which may be under no name of the product: first the product's names, then the others by name.
 */
export function overviewOf({ run, view }: Pick<RunDetail, 'run' | 'view'>): RunOverview {
  if (run.kind !== 'import') return OF_A_TRAINING;
  const has = (name: string) => Object.hasOwn(view.latest, name);
  const hasTime = TIME_SERIES.every(has);
  const known = OVERVIEW.filter(has);
  const elsewhere = new Set<string>([TRAINING_SUCCESS, ...OVERVIEW, ...(hasTime ? TIME_SERIES : [])]);
  const others = Object.keys(view.latest)
    .filter((name) => !elsewhere.has(name))
    .sort();
  const room = OVERVIEW_CHARTS - known.length - (hasTime ? 1 : 0);
  return {
    names: [...known, ...others.slice(0, room)],
    hasTrainingSuccess: has(TRAINING_SUCCESS),
    hasTime,
    left: Math.max(0, others.length - room),
  };
}

/** The series that the charts of an overview are drawn from. */
export function seriesOfOverview({ names, hasTrainingSuccess, hasTime }: RunOverview): string[] {
  return [...(hasTrainingSuccess ? [TRAINING_SUCCESS] : []), ...names, ...(hasTime ? TIME_SERIES : [])];
}
