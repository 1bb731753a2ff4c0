import { AppError } from '@/contract/errors';

export interface OverlongSettings {
  /** Tokens a reply may have. */
  maxLength: number;
  /** The last tokens before `maxLength`, over which the penalty grows; at least 1. */
  bufferLength: number;
  /** Penalty at `maxLength`, default 1. */
  factor?: number;
  /** The penalty grows no further past `maxLength` (agentic-rl-lab); verl's goes on. */
  bounded: boolean;
}

/**
 * Soft overlong punishment of DAPO (arXiv 2503.14476, eq. 13), at most 0: 0 up to `maxLength - bufferLength`, from there
 * linear to `-factor` at `maxLength`. Added to the reward. Sources: verl `DAPORewardManager`, agentic-rl-lab
 * `06-dapo/reward.py`. Throws where the lengths make no sense.
 */
export function overlongPenalty(length: number, settings: OverlongSettings): number {
  const { maxLength, bufferLength, factor = 1, bounded } = settings;
  if (!(bufferLength >= 1 && bufferLength <= maxLength))
    throw new AppError(
      'invalid_input',
      `bufferLength is ${bufferLength}; expected 1 to maxLength = ${maxLength}`,
    );
  if (!(length >= 0)) throw new AppError('invalid_input', `length is ${length}; expected 0 or more tokens`);
  const excess = (length - (maxLength - bufferLength)) / bufferLength;
  return -factor * Math.max(0, bounded ? Math.min(excess, 1) : excess);
}

/**
 * Rewards of turns less `penalty` for each that was not valid, shape of `rewards`. Source: verl-agent
 * `apply_invalid_action_penalty` (0.1 for a reply without the tags).
 */
export function penaliseInvalid(
  rewards: readonly number[],
  isValid: readonly boolean[],
  penalty: number,
): number[] {
  return rewards.map((reward, turn) => (isValid[turn] ? reward : reward - penalty));
}
