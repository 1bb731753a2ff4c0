/**
 * On-policy distillation (thinkingmachines.ai/blog/on-policy-distillation): the student samples, the teacher scores the same
 * tokens, and each token's advantage is what the teacher would have liked it more.
 */
import { AppError } from '@/contract/errors';
import { meanOf } from './moments';
import { discountedFutureSums } from './returns';

/** Log-probabilities of a sequence's tokens under both, of one length. */
export interface TaughtTokens {
  studentLogprobs: readonly number[];
  teacherLogprobs: readonly number[];
  /** 1 on sampled tokens. */
  mask: readonly number[];
}

/** Reverse KL of each token, student's log-probability - teacher's; 0 where masked. */
export function reverseKl({ studentLogprobs, teacherLogprobs, mask }: TaughtTokens): number[] {
  if (teacherLogprobs.length !== studentLogprobs.length)
    throw new AppError(
      'invalid_input',
      `the teacher scored ${teacherLogprobs.length} tokens of ${studentLogprobs.length}; do both use one tokenizer?`,
    );
  return studentLogprobs.map((logprob, t) =>
    mask[t] ? (logprob - (teacherLogprobs[t] ?? NaN)) * mask[t] : 0,
  );
}

export interface KlAdvantageSettings {
  coefficient: number;
  /** Above 0, a token also answers for the KL that follows, masked positions included, as the source has it. */
  discount: number;
}

/**
 * Advantage of each token, -coefficient x reverse KL. Sources: agentic-rl-lab `02-opd`, tinker-cookbook
 * `incorporate_kl_penalty`, which adds it to the advantages of rewards.
 */
export function klAdvantages(tokens: TaughtTokens, { coefficient, discount }: KlAdvantageSettings): number[] {
  return discountedFutureSums(
    reverseKl(tokens).map((kl) => -coefficient * kl),
    discount,
  );
}

/** Mean reverse KL over the sampled tokens of a batch, `teacher_kl`; NaN where there is none. */
export function meanReverseKl(batch: readonly TaughtTokens[]): number {
  let sum = 0;
  let count = 0;
  for (const tokens of batch) {
    for (const kl of reverseKl(tokens)) sum += kl;
    for (const weight of tokens.mask) count += weight;
  }
  return sum / count;
}

/** Where along a reply the teacher still knows better. */
export interface HeadTailGap {
  /** Mean of teacher's - student's log-probability over the first and the last fifth of the reply. */
  head: number;
  tail: number;
}

const END_SHARE = 0.2;

/** The gap at both ends of one reply's tokens; a fifth is at least one token. Throws for an empty reply. */
export function headTailGap(
  studentLogprobs: readonly number[],
  teacherLogprobs: readonly number[],
): HeadTailGap {
  if (studentLogprobs.length === 0)
    throw new AppError('invalid_input', 'an empty reply has neither head nor tail');
  const mask = studentLogprobs.map(() => 1);
  const gaps = reverseKl({ studentLogprobs, teacherLogprobs, mask }).map((kl) => -kl);
  const end = Math.max(1, Math.floor(END_SHARE * gaps.length));
  return { head: meanOf(gaps.slice(0, end)), tail: meanOf(gaps.slice(-end)) };
}
