/** Settings of losses: which are valid, and what holds where none is given. */
import { LOSS_SETTINGS, type LossFn, type LossFnConfig } from '@/contract/engine';
import { AppError, type FieldIssue } from '@/contract/errors';

/**
 * Bounds of a token's log ratio before it is exponentiated, as in verl's `compute_policy_loss_vanilla`: an overflow
 * times a zero gradient would be NaN.
 */
export const MAX_LOG_RATIO = 20;

/** Upper bound of a sequence's mean log ratio, as in verl's `compute_policy_loss_gspo`. */
export const MAX_SEQUENCE_LOG_RATIO = 10;

/** The config with what the contract states for absent fields; an absent `dualClip` is `Infinity`. */
export function withDefaults(config: LossFnConfig): Required<LossFnConfig> {
  return {
    clipLowThreshold: config.clipLowThreshold ?? 0.8,
    clipHighThreshold: config.clipHighThreshold ?? 1.2,
    dualClip: config.dualClip ?? Infinity,
    entropyCoef: config.entropyCoef ?? 0,
    klCoef: config.klCoef ?? 0,
  };
}

/** Throws `invalid_input` naming the first setting that the loss does not take or whose value is out of range. */
export function checkLossConfig(lossFn: LossFn, config: LossFnConfig): void {
  const issue = lossConfigIssue(lossFn, config);
  if (issue) throw new AppError('invalid_input', `${issue.path} ${issue.message}`, [issue]);
}

/** The first setting of `config` that is wrong, by its name in the contract; null where all are valid. */
export function lossConfigIssue(lossFn: LossFn, config: LossFnConfig): FieldIssue | null {
  for (const [path, value] of Object.entries(config)) {
    if (value === undefined) continue;
    const taken: readonly string[] = LOSS_SETTINGS[lossFn];
    if (!taken.includes(path))
      return { path, message: `is no setting of ${lossFn}, which takes ${taken.join(', ') || 'none'}` };
    if (!Number.isFinite(value) || value < 0)
      return { path, message: `must be a number of at least 0, got ${value}` };
  }
  const { clipLowThreshold: low, clipHighThreshold: high, dualClip } = withDefaults(config);
  if (low > high)
    return { path: 'clipLowThreshold', message: `must not exceed the upper bound ${high}, got ${low}` };
  if (dualClip <= Math.max(1, low))
    return { path: 'dualClip', message: `must be above 1 and the lower bound ${low}, got ${dualClip}` };
  return null;
}
