/**
 * Clipped policy losses of single tokens with their gradients, in double precision: what a forward pass and a second, weighted
 * cross-entropy pass need to train with any of them, and what the engines' own losses are held to. Where two branches tie, the
 * gradient is their mean, as autograd has it.
 */
import { sumOf } from '@/rl/learning/moments';

/** Bounds of the probability ratio r = exp(policy's log-probability - sampler's). */
export interface ClipBounds {
  /** Lower bound, e.g. 0.8. */
  low: number;
  /** Upper bound, e.g. 1.2; verl's "clip higher" has 1.28. */
  high: number;
  /**
   * Dual clip (arXiv 1912.09729): with a negative advantage the loss is at most -dualClip A. verl has 3; unset = off
   * (AgentGym-RL, agentic-rl-lab).
   */
  dualClip?: number;
  /** The log-ratio is clamped to +- this before exp; verl has 20, AgentGym-RL and agentic-rl-lab none. Default Infinity. */
  maxLogRatio?: number;
}

/** A sampled token as a policy loss sees it. */
export interface PolicyToken {
  /** Under the policy being trained. */
  logprob: number;
  /** Under the policy that sampled it. */
  oldLogprob: number;
  advantage: number;
}

export interface PolicyLoss {
  loss: number;
  /** d loss / d `logprob`. */
  gradient: number;
  ratio: number;
  /** The clipped ratio gives the larger loss. */
  isClipped: boolean;
  /** The dual clip bounds the loss. */
  isDualClipped: boolean;
}

/**
 * max(-r A, -clip(r, low, high) A), for A < 0 at most -dualClip A. Sources: PPO (arXiv 1707.06347), verl
 * `compute_policy_loss_vanilla`, AgentGym-RL `compute_policy_loss`, agentic-rl-lab `make_ppo_loss_fn`.
 */
export function ppoLoss({ logprob, oldLogprob, advantage }: PolicyToken, bounds: ClipBounds): PolicyLoss {
  const { maxLogRatio = Infinity, dualClip = Infinity } = bounds;
  const logRatio = logprob - oldLogprob;
  const clamped = Math.min(Math.max(logRatio, -maxLogRatio), maxLogRatio);
  const slope = logRatio === clamped ? 1 : 0;
  const clipped = clippedLoss(clamped, slope, advantage, bounds);
  const bound = -advantage * dualClip;
  if (!(advantage < 0 && clipped.loss >= bound)) return { ...clipped, isDualClipped: false };
  if (clipped.loss === bound) return { ...clipped, gradient: clipped.gradient / 2, isDualClipped: false };
  return { ...clipped, loss: bound, gradient: 0, isDualClipped: true };
}

/** Of a sequence's log-ratio; there is no lower one. */
const MOST_SEQUENCE_LOG_RATIO = 10;

/**
 * GSPO (arXiv 2507.18071) on one sequence: r is the same for all its tokens, the exponential of the mean log-ratio over those
 * in `mask`, at most e^10. Each token's gradient is as if r were its own, which is the form that allows advantages of
 * tokens. Source: verl `compute_policy_loss_gspo`, which aggregates it by `seq-mean-token-mean` always.
 */
export function gspoLosses(
  tokens: readonly PolicyToken[],
  mask: readonly number[],
  bounds: Pick<ClipBounds, 'low' | 'high'>,
): PolicyLoss[] {
  const count = sumOf(mask);
  const logRatios = tokens.map(({ logprob, oldLogprob }, t) => (logprob - oldLogprob) * (mask[t] ?? 0));
  const mean = sumOf(logRatios) / Math.max(count, 1);
  const slope = mean <= MOST_SEQUENCE_LOG_RATIO ? 1 : 0;
  return tokens.map(({ advantage }) => ({
    ...clippedLoss(Math.min(mean, MOST_SEQUENCE_LOG_RATIO), slope, advantage, bounds),
    isDualClipped: false,
  }));
}

/** `slope` is d `logRatio` / d log-probability. */
function clippedLoss(
  logRatio: number,
  slope: number,
  advantage: number,
  { low, high }: Pick<ClipBounds, 'low' | 'high'>,
): Omit<PolicyLoss, 'isDualClipped'> {
  const ratio = Math.exp(logRatio);
  const plain = -advantage * ratio;
  const clipped = -advantage * Math.min(Math.max(ratio, low), high);
  const plainGradient = plain * slope;
  const clippedGradient = ratio >= low && ratio <= high ? plainGradient : 0;
  const isClipped = clipped > plain;
  const gradient =
    clipped === plain ? (plainGradient + clippedGradient) / 2 : isClipped ? clippedGradient : plainGradient;
  return { loss: Math.max(plain, clipped), gradient, ratio, isClipped };
}

/** Entropy in nats of the distribution that `logits` give: log sum exp(l) - sum p l. Source: AgentGym-RL `entropy_from_logits`. */
export function entropyOf(logits: readonly number[]): number {
  const most = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - most));
  const total = sumOf(weights);
  const mean = sumOf(logits.map((logit, i) => ((weights[i] ?? NaN) / total) * logit));
  return most + Math.log(total) - mean;
}
