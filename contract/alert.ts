import { z } from 'zod';
import { lookupText, RunId } from './bounds';
import { TRAJECTORY_PHASES } from './trajectory';

/** What looks over every run, in the order screens list them. Thresholds: docs/detectors.md. */
export const DETECTORS = [
  'none_available',
  'repeated_actions',
  'ungrounded_actions',
  'format_collapse',
  'logprob_collapse',
  'entropy_change',
  'length_change',
  'zero_variance_groups',
  'singleton_groups',
  'constant_metric',
  'paid_reward',
  'cumulative_success',
  'split_disagreement',
  'opposite_trends',
] as const;
export type DetectorId = (typeof DETECTORS)[number];

/** A detector's name on screen, and what it needs to be measured. */
export const DETECTOR_WORDS: Readonly<Record<DetectorId, { title: string; needs: string }>> = {
  none_available: { title: '“None available” loop', needs: 'trajectories with turns' },
  repeated_actions: { title: 'Repeated actions', needs: 'trajectories with turns' },
  ungrounded_actions: { title: 'Ungrounded actions', needs: 'trajectories with turns' },
  format_collapse: { title: 'Format collapse', needs: 'more than 5 steps of rollout/format_rate' },
  logprob_collapse: { title: 'Log-prob collapse', needs: 'more than 15 steps of actor/sampler_logprob' },
  entropy_change: { title: 'Entropy', needs: '25 steps of actor/entropy' },
  length_change: { title: 'Reply length', needs: 'two steps of rollout/reply_tokens_mean' },
  zero_variance_groups: {
    title: 'Groups without variance',
    needs: '5 steps of groups',
  },
  singleton_groups: { title: 'Groups of one', needs: 'trajectories in groups' },
  constant_metric: { title: 'Constant metric', needs: 'three points of a success metric' },
  paid_reward: { title: 'Reward above 1', needs: 'trajectories, or a series of the highest reward' },
  cumulative_success: { title: 'Cumulative success', needs: 'ten points of a success metric' },
  split_disagreement: {
    title: 'Seen against unseen',
    needs: 'two checkpoints evaluated on valid_seen and valid_unseen',
  },
  opposite_trends: {
    title: 'Training against evaluation',
    needs: 'four evaluated steps with a training metric',
  },
};

/** `notice`: read on before drawing conclusions. `warning`: the run's figures or its compute are at stake. */
const AlertSeverity = z.enum(['notice', 'warning']);
export type AlertSeverity = z.infer<typeof AlertSeverity>;

/** What an alert rests on, as a screen can open it. */
export const AlertEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('series'), name: z.string(), step: z.int() }),
  /** `turn` counts from 0; null = the trajectory as a whole. */
  z.object({ kind: z.literal('trajectory'), trajectoryId: z.string(), turn: z.int().nullable() }),
  z.object({ kind: z.literal('evaluation'), split: z.string(), step: z.int() }),
  /** The trajectories of a step. */
  z.object({ kind: z.literal('step'), step: z.int(), phase: z.enum(TRAJECTORY_PHASES) }),
]);
export type AlertEvidence = z.infer<typeof AlertEvidence>;

/** What a detector found. It is the same alert as another where detector, subject and step are the same. */
export const Finding = z.object({
  /** What it is about: a series' name, a phase, a split. */
  subject: z.string(),
  /** Where it fired. */
  step: z.int().nonnegative(),
  /** Newest step at which it held. */
  lastStep: z.int().nonnegative(),
  /** It no longer holds at the steps measured since. */
  isOver: z.boolean(),
  severity: AlertSeverity,
  /** What was found, with its figures and their n. */
  message: z.string(),
  evidence: z.array(AlertEvidence),
});
export type Finding = z.infer<typeof Finding>;

/** What a detector sees where nothing is wrong: its figure beside its limit. Null where it has not enough data. */
export const DetectorReading = z.object({ detector: z.enum(DETECTORS), reading: z.string().nullable() });
export type DetectorReading = z.infer<typeof DetectorReading>;

export interface Alert extends Finding {
  id: string;
  runId: string;
  detector: DetectorId;
  /** When a person took note of it, ms since 1970. */
  acknowledgedAt: number | null;
  createdAt: number;
}

/** `GET /runs/:runId/alerts`. */
export interface RunAlerts {
  /** Of the newest event that the detectors have read; null before they first did. */
  position: number | null;
  /** One of each detector, in their order; none before they first read the run. */
  readings: DetectorReading[];
  /** By step. */
  alerts: Alert[];
}

/** `GET /alerts?run=a&run=b`: alerts of a page of the list that nobody has acknowledged. */
export const OpenAlertsQuery = z.object({ run: z.array(RunId).min(1).max(500) });

/** `PATCH /alerts/:alertId`. */
export const AlertChange = z.strictObject({ acknowledged: z.boolean() });

/** Longest reason for hiding a metric. */
const MAX_REASON_LENGTH = 500;

/** `PUT /runs/:runId/metric-marks`: the metric says nothing, and is left out until it is asked for. */
export const MetricMarkRequest = z.strictObject({
  name: lookupText(200).min(1),
  reason: lookupText(MAX_REASON_LENGTH).trim().min(1, 'say why the metric says nothing'),
});
export type MetricMarkRequest = z.infer<typeof MetricMarkRequest>;

/** `DELETE /runs/:runId/metric-marks?name=`. */
export const MetricMarkName = MetricMarkRequest.pick({ name: true });

/** `GET /runs/:runId/metric-marks`. */
export interface MetricMark extends MetricMarkRequest {
  createdAt: number;
}

/** Last parts of names that say nothing alone. */
const STATISTIC = /^(mean|max|min|std|median)(@\d+)?$/;

/** `hidden: pass@1 = 1.0 always`: what stands in a marked metric's place. */
export function hiddenWords({ name, reason }: Pick<MetricMark, 'name' | 'reason'>): string {
  const parts = name.split('/');
  const shortName = parts.slice(STATISTIC.test(parts.at(-1) ?? '') ? -2 : -1).join('/');
  return `hidden: ${/^[=<>≤≥]/.test(reason) ? `${shortName} ${reason}` : `${shortName}, ${reason}`}`;
}
