import { AppError } from '@/contract/errors';
import type { Random } from '@/rl/random';

export interface ChosenToken {
  token: number;
  /** Natural logarithm of its probability under the distribution it was drawn from. */
  logprob: number;
}

/** Draws tokens from rows of logits; keeps one scratch row, so one chooser serves one vocabulary. */
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
  choose(
    logits: Float32Array,
    temperature: number,
    random: Random,
    allowed?: readonly number[],
  ): ChosenToken {
    return allowed
      ? this.chooseAmong(logits, temperature, random, allowed)
      : this.chooseFromAll(logits, temperature, random);
  }

  private chooseFromAll(logits: Float32Array, temperature: number, random: Random): ChosenToken {
    const { weights, vocabularySize } = this;
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
    const token = temperature === 0 ? best : pickByWeight(weights, vocabularySize, total, random);
    return { token, logprob: ((logits[token] ?? NaN) - highest) * inverse - Math.log(total) };
  }

  private chooseAmong(
    logits: Float32Array,
    temperature: number,
    random: Random,
    allowed: readonly number[],
  ): ChosenToken {
    const allowedLogits = Float32Array.from(allowed, (id) => logits[id] ?? NaN);
    const chooser = new TokenChooser(allowed.length);
    const { token: index, logprob } = chooser.chooseFromAll(allowedLogits, temperature, random);
    const token = allowed[index];
    if (token === undefined) throw new Error(`chose allowed token ${index} of ${allowed.length}`);
    return { token, logprob };
  }
}

function pickByWeight(weights: Float64Array, count: number, total: number, random: Random): number {
  let rest = random.next() * total;
  let last = 0;
  for (let id = 0; id < count; id++) {
    const weight = weights[id] ?? 0;
    if (weight === 0) continue;
    rest -= weight;
    if (rest < 0) return id;
    last = id;
  }
  // Rounding of the running difference can leave a rest after the last token that has any weight.
  return last;
}

function requireFinite(total: number): void {
  if (!Number.isFinite(total))
    throw new AppError('internal', 'the model gave logits that are not finite; its weights have diverged');
}
