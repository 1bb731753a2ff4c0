import { formatDecimals, formatSigned } from '@/contract/format';
import type { Turn } from '@/contract/trajectory';

/** What the tokens of a reply can be shaded by. */
export const HEAT_MODES = ['logprob', 'entropy', 'advantage', 'teacher-gap'] as const;
export type HeatMode = (typeof HEAT_MODES)[number];

interface HeatScale {
  /** As in `shaded by surprise`. */
  name: string;
  unit: string;
  /** One hue for sizes, two for values of either sign. */
  kind: 'sequential' | 'diverging';
  /** Lower bounds of the bins of a value’s size; below the first a token is not shaded. */
  bounds: readonly number[];
  /** What would record it. */
  notRecorded: string;
}

export const HEAT_SCALES: Record<HeatMode, HeatScale> = {
  logprob: {
    name: 'surprise, −ln p',
    unit: 'nats',
    kind: 'sequential',
    bounds: [0.05, 0.2, 0.5, 1, 1.6, 2.4],
    notRecorded:
      'The tokens of evaluations and probes are recorded, those of training for recording.trainGroups groups of a step; models behind an API give none.',
  },
  entropy: {
    name: 'entropy',
    unit: 'nats',
    kind: 'sequential',
    bounds: [0.05, 0.2, 0.5, 1, 1.6, 2.4],
    notRecorded:
      'Evaluations and probes on the embedded engine record it; servers of the Tinker protocol and models behind an API do not say it.',
  },
  advantage: {
    name: 'advantage',
    unit: '',
    kind: 'diverging',
    bounds: [0.05, 0.5, 1.5],
    notRecorded:
      'Only trajectories that an update was made from have one: those of training, of which recording.trainGroups groups of a step are recorded.',
  },
  'teacher-gap': {
    name: 'teacher’s less own ln p',
    unit: 'nats',
    kind: 'diverging',
    bounds: [0.1, 0.5, 1.5],
    notRecorded:
      'Training trajectories of the recipes opd and sdar have it, where a teacher scored the reply; recording.trainGroups groups of a step are recorded.',
  },
};

/** The mode after this one, in a circle. */
export function nextHeat(mode: HeatMode): HeatMode {
  return HEAT_MODES[(HEAT_MODES.indexOf(mode) + 1) % HEAT_MODES.length] ?? 'logprob';
}

export function readHeat(text: string | null): HeatMode {
  return HEAT_MODES.find((mode) => mode === text) ?? 'logprob';
}

/**
 * A value a token, null for tokens that have none; null altogether where the mode was not recorded. `advantage` is the
 * trajectory’s, which all its sampled tokens share.
 */
export function heatValues(
  { tokens }: Pick<Turn, 'tokens'>,
  mode: HeatMode,
  advantage: number | null,
): (number | null)[] | null {
  if (!tokens) return null;
  const { logprobs, entropies, teacherLogprobs } = tokens;
  switch (mode) {
    case 'logprob':
      return logprobs.map((logprob) => (logprob === null ? null : -logprob));
    case 'entropy':
      return entropies ?? null;
    case 'advantage':
      return advantage === null ? null : logprobs.map((logprob) => (logprob === null ? null : advantage));
    case 'teacher-gap':
      return (
        teacherLogprobs?.map((teacher, index) => {
          const own = logprobs[index] ?? null;
          return teacher === null || own === null ? null : teacher - own;
        }) ?? null
      );
  }
}

/** Bin of a value: 0 = not shaded, up to the number of bounds; of a diverging scale negative below zero. */
export function heatBin(mode: HeatMode, value: number | null): number {
  if (value === null || Number.isNaN(value)) return 0;
  const { kind, bounds } = HEAT_SCALES[mode];
  const size = kind === 'diverging' ? Math.abs(value) : value;
  const bin = bounds.filter((bound) => size >= bound).length;
  return kind === 'diverging' && value < 0 && bin > 0 ? -bin : bin;
}

/** `surprise 1.20 nats`, `advantage +0.50`. */
export function heatWords(mode: HeatMode, value: number | null): string {
  const { name, unit, kind } = HEAT_SCALES[mode];
  if (value === null) return 'not sampled';
  const text = kind === 'diverging' ? formatSigned(value, 2) : formatDecimals(value, 2);
  return `${name} ${text} ${unit}`.trim();
}
