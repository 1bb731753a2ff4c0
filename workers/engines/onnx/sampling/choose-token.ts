import type { SamplingParams } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { Random } from '@/rl/random';

export interface ChosenToken {
  token: number;
  /** Natural logarithm of its probability under the distribution it was drawn from. */
  logprob: number;
  /** Entropy of that distribution in nats, where asked for. */
  entropy?: number;
}

/** How a token is drawn. */
export type Drawing = Pick<SamplingParams, 'temperature' | 'topK' | 'topP' | 'entropies'>;

/** Draws tokens from rows of logits; keeps scratch rows, so one chooser serves one vocabulary. */
export class TokenChooser {
  private readonly weights: Float64Array;

  constructor(private readonly vocabularySize: number) {
    this.weights = new Float64Array(vocabularySize);
  }

  /**
   * Draws by the inverse of the cumulative distribution of softmax(logits / temperature), or takes the first arg max
   * at temperature 0, whose logprob is that at temperature 1. `allowed`, where given, are the only ids that may be
   * drawn, and the distribution is renormalised over them. One draw of `random` a token, none where greedy.
   */
  choose(logits: Float32Array, drawing: Drawing, random: Random, allowed?: readonly number[]): ChosenToken {
    return allowed
      ? this.chooseAmong(logits, drawing, random, allowed)
      : this.chooseFromAll(logits, drawing, random);
  }

  private chooseFromAll(logits: Float32Array, drawing: Drawing, random: Random): ChosenToken {
    const { weights, vocabularySize } = this;
    const { temperature } = drawing;
    let best = 0;
    let highest = -Infinity;
    for (let id = 0; id < vocabularySize; id++) {
      const logit = logits[id] ?? NaN;
      if (logit > highest) {
        highest = logit;
        best = id;
      }
    }
    const inverse = 1 / (temperature || 1);
    let total = 0;
    for (let id = 0; id < vocabularySize; id++) {
      const weight = Math.exp(((logits[id] ?? NaN) - highest) * inverse);
      weights[id] = weight;
      total += weight;
    }
    requireFinite(total);
    // Before the draw, which clears the weights that top-k and top-p leave out.
    const entropy = drawing.entropies ? entropyOf(weights, total) : undefined;
    const token = temperature === 0 ? best : this.draw(drawing, total, random);
    const logprob = ((logits[token] ?? NaN) - highest) * inverse - Math.log(total);
    return { token, logprob, ...(entropy !== undefined && { entropy }) };
  }

  private draw({ topK = 0, topP = 1 }: Drawing, total: number, random: Random): number {
    const { weights, vocabularySize } = this;
    const bounded = (topK > 0 && topK < vocabularySize) || topP < 1;
    return pickByWeight(weights, bounded ? boundWeights(weights, topK, topP) : total, random);
  }

  private chooseAmong(
    logits: Float32Array,
    drawing: Drawing,
    random: Random,
    allowed: readonly number[],
  ): ChosenToken {
    const allowedLogits = Float32Array.from(allowed, (id) => logits[id] ?? NaN);
    const chooser = new TokenChooser(allowed.length);
    const { token: index, ...chosen } = chooser.chooseFromAll(allowedLogits, drawing, random);
    const token = allowed[index];
    if (token === undefined) throw new Error(`chose allowed token ${index} of ${allowed.length}`);
    return { token, ...chosen };
  }
}

/**
 * Clears the weights of tokens that may not be drawn and returns the sum of the rest: top-k first, then of what is
 * left the fewest that reach top-p, likeliest first and lower ids before higher at a tie.
 */
function boundWeights(weights: Float64Array, topK: number, topP: number): number {
  const ranked = Array.from(weights.keys()).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  const kept = topK > 0 ? ranked.slice(0, topK) : ranked;
  const enough = topP * kept.reduce((sum, id) => sum + (weights[id] ?? 0), 0);
  let sum = 0;
  let count = 0;
  while (count < kept.length && (count === 0 || sum < enough)) sum += weights[kept[count++] ?? 0] ?? 0;
  for (const id of ranked.slice(count)) weights[id] = 0;
  return sum;
}

function pickByWeight(weights: Float64Array, total: number, random: Random): number {
  let rest = random.next() * total;
  let last = 0;
  for (let id = 0; id < weights.length; id++) {
    const weight = weights[id] ?? 0;
    if (weight === 0) continue;
    rest -= weight;
    if (rest < 0) return id;
    last = id;
  }
  // Rounding of the running difference can leave a rest after the last token that has any weight.
  return last;
}

/** -Σ p ln p in nats of weights that sum to `total`. */
function entropyOf(weights: Float64Array, total: number): number {
  let sum = 0;
  for (const weight of weights) if (weight > 0) sum += weight * Math.log(weight);
  return Math.log(total) - sum / total;
}

function requireFinite(total: number): void {
  if (!Number.isFinite(total))
    throw new AppError('internal', 'the model gave logits that are not finite; its weights have diverged');
}
